/* `quantization_config` says which matrices are stored in few bits; embedding, norms, routers and
 * biases never are. A block of weights shares a scale, which takes bits as well. */
#include "sims/architecture/config_storage.h"

#include "sims/base/array.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void architecture_note(struct architecture *a, const char *fmt, ...)
{
	va_list ap;
	if (a->n_notes >= MOST_REMARKS)
		return;
	char *note = a->notes[a->n_notes++];
	va_start(ap, fmt);
	vsnprintf(note, REMARK_SIZE, fmt, ap);
	va_end(ap);
	for (; *note; note++)
		if ((unsigned char)*note < 0x20 || (unsigned char)*note > 0x7e)
			*note = '?';
}

static double plain_bits(struct config_fields *f, struct architecture *a)
{
	const char *type = config_text(f, "torch_dtype|dtype");
	if (type && strcmp(type, "float32") == 0)
		a->storage = "FP32";
	else if (type && strcmp(type, "float16") == 0)
		a->storage = "FP16";
	else
		a->storage = "BF16";
	return strcmp(a->storage, "FP32") == 0 ? 32 : 16;
}

/* Where the file says that modules with this in their name are left as they are. */
static bool left_alone(const cJSON *quantised, const char *part)
{
	static const char *const lists[] = { "modules_to_not_convert", "ignore", "exclude_modules",
		"ignored_layers" };
	for (size_t i = 0; i < LENGTH(lists); i++) {
		const cJSON *j, *list = cJSON_GetObjectItemCaseSensitive(quantised, lists[i]);
		cJSON_ArrayForEach(j, list)
		{
			if (cJSON_IsString(j) && strstr(j->valuestring, part))
				return true;
		}
	}
	return false;
}

static void set_bits(struct architecture *a, const cJSON *quantised, double bits, bool experts_only)
{
	a->bits[PART_EXPERTS] = bits;
	if (experts_only)
		return;
	if (!left_alone(quantised, "self_attn"))
		a->bits[PART_MIXING] = bits;
	/* "mlp.gate" is a router. */
	if (!left_alone(quantised, "mlp.up_proj") && !left_alone(quantised, "mlp.*"))
		a->bits[PART_DENSE] = bits;
	if (!left_alone(quantised, "shared_expert"))
		a->bits[PART_SHARED] = bits;
}

static double number_in(const cJSON *object, const char *name, double fallback)
{
	const cJSON *j = cJSON_GetObjectItemCaseSensitive(object, name);
	return cJSON_IsNumber(j) && j->valuedouble >= 1 && j->valuedouble <= 1e6 ? j->valuedouble
										 : fallback;
}

static const char *text_in(const cJSON *object, const char *name)
{
	const char *s = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, name));
	return s ? s : "";
}

/* The scheme of compressed-tensors is in the first of its groups. */
static const cJSON *weights_of(const cJSON *quantised)
{
	const cJSON *groups = cJSON_GetObjectItemCaseSensitive(quantised, "config_groups");
	return cJSON_IsObject(groups) && groups->child
		       ? cJSON_GetObjectItemCaseSensitive(groups->child, "weights")
		       : NULL;
}

static void grouped(struct architecture *a, const cJSON *quantised, double bits, double group,
	double scale_bits)
{
	static const char *const names[] = {
		[2] = "2 bits", [3] = "3 bits", [4] = "4 bits", [8] = "8 bits"
	};
	const size_t n = (size_t)bits;
	a->storage = n < LENGTH(names) && names[n] ? names[n] : "few bits";
	set_bits(a, quantised, bits + scale_bits / group, false);
}

static void read_fp8(struct architecture *a, const cJSON *quantised)
{
	const cJSON *block = cJSON_GetObjectItemCaseSensitive(quantised, "weight_block_size");
	const cJSON *rows = cJSON_GetArrayItem(block, 0), *columns = cJSON_GetArrayItem(block, 1);
	bool blocks = cJSON_IsNumber(rows) && cJSON_IsNumber(columns) && rows->valuedouble >= 1 &&
		      columns->valuedouble >= 1;
	a->storage = blocks ? "FP8 in blocks" : "FP8";
	a->fp8_blocks = blocks;
	set_bits(a, quantised, 8 + (blocks ? 32 / (rows->valuedouble * columns->valuedouble) : 0),
		false);
}

static void read_quantised(struct architecture *a, const cJSON *q)
{
	enum { OF_SCALE = 16, MX_BLOCK = 32, MX_SCALE = 8, NV_BLOCK = 16, NV_SCALE = 8 };
	const char *method = text_in(q, "quant_method"), *algorithm = text_in(q, "quant_algo");
	const cJSON *weights = weights_of(q);
	if (strcmp(method, "fp8") == 0 || strcmp(method, "fbgemm_fp8") == 0 ||
		strcmp(algorithm, "FP8") == 0) {
		read_fp8(a, q);
	} else if (strcmp(method, "mxfp4") == 0) {
		a->storage = "MXFP4 experts, the rest BF16";
		set_bits(a, q, 4 + (double)MX_SCALE / MX_BLOCK, true);
	} else if (strcmp(algorithm, "NVFP4") == 0) {
		a->storage = "NVFP4";
		set_bits(a, q, 4 + (double)NV_SCALE / NV_BLOCK, false);
	} else if (strcmp(method, "gptq") == 0 || strcmp(method, "awq") == 0) {
		/* A group has a scale and a zero of as many bits as a weight. */
		double bits = number_in(q, "bits", 4), group = number_in(q, "group_size", 128);
		grouped(a, q, bits, group, OF_SCALE + bits);
	} else if (strcmp(method, "compressed-tensors") == 0 && cJSON_IsObject(weights)) {
		grouped(a, q, number_in(weights, "num_bits", 8),
			number_in(weights, "group_size", INFINITY), OF_SCALE);
	} else {
		architecture_note(a,
			"quantization_config: quant_method \"%.40s\" is not known: bytes are of %s",
			method, a->storage);
	}
}

void config_read_storage(struct config_fields *f, struct architecture *a)
{
	const cJSON *q = config_member(f, "quantization_config");
	if (!q)
		q = cJSON_GetObjectItemCaseSensitive(f->outer, "quantization_config");
	a->rest_bits = plain_bits(f, a);
	for (size_t p = 0; p < N_WEIGHT_PARTS; p++)
		a->bits[p] = a->rest_bits;
	if (cJSON_IsObject(q))
		read_quantised(a, q);
}
