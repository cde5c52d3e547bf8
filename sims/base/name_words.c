#include "sims/base/name_words.h"

#include "sims/base/array.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

size_t name_part(const char *name, const char **said)
{
	static const struct {
		const char *part, *said;
	} parts[] = { { "gpus", "GPUs" }, { "gpu", "GPU" }, { "sm", "SM" }, { "sms", "SMs" },
		{ "kv", "KV" }, { "flops", "FLOPS" }, { "flop", "FLOP" }, { "pcie", "PCIe" },
		{ "ffn", "FFN" }, { "hbm", "HBM" }, { "cpu", "CPU" }, { "lora", "LoRA" },
		{ "mtbf", "MTBF" }, { "fma", "FMA" }, { "fp", "FP" }, { "gptq", "GPTQ" },
		{ "mfu", "MFU" }, { "kvcache", "KV cache" } };
	const size_t n = strspn(name, "abcdefghijklmnopqrstuvwxyz");
	const char *word = NULL;
	for (size_t i = 0; n && i < LENGTH(parts); i++)
		if (strlen(parts[i].part) == n && strncmp(parts[i].part, name, n) == 0)
			word = parts[i].said;
	if (said)
		*said = word;
	return n;
}

char *name_words(const char *name, char *buf, size_t size)
{
	assert(size > 0);
	size_t used = 0;
	buf[0] = '\0';
	while (*name && used < size) {
		const char *said;
		const size_t n = name_part(name, &said);
		if (said)
			used += (size_t)snprintf(buf + used, size - used, "%s", said);
		else if (n)
			used += (size_t)snprintf(buf + used, size - used, "%.*s", (int)n, name);
		else
			used += (size_t)snprintf(buf + used, size - used, "%c",
				*name == '_' || *name == '-' ? ' ' : *name);
		name += n ? n : 1;
	}
	return buf;
}
