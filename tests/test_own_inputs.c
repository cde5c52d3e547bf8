/* A trace of the user's own, from the command line to the figures that are made of it. */
#include "tests/explorer.h"
#include "tests/settings.h"
#include "ui/commands/commands.h"
#include "ui/data/own_inputs.h"
#include "ui/files/own_file.h"
#include "ui/live/live.h"
#include "sims/registry/registry.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))
#define HEAD "arrival_s,prompt_tokens,output_tokens\n"

static void write_file(const char *name, const char *text)
{
	FILE *f = fopen(name, "w");
	cr_assert(f && fputs(text, f) >= 0 && fclose(f) == 0);
}

/* Works in a folder of its own. */
static void enter(char dir[static 64])
{
	snprintf(dir, 64, "/tmp/ridge-trace-XXXXXX");
	setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
	cr_assert(mkdtemp(dir) && chdir(dir) == 0);
}

static void leave(const char *dir, const char *file)
{
	unlink(file);
	cr_assert(chdir("/") == 0 && rmdir(dir) == 0);
}

/* Gaps 1, 1, 4: mean 2, squares 1 + 1 + 4 over 2 is 3, CV sqrt(3)/2; 3 gaps in 6 s. */
static const char four[] = HEAD "0,10,1\n1,20,2\n2,30,3\n6,40,6\n";

Test(own_inputs, facts_are_of_the_whole_file)
{
	static const struct {
		const char *id;
		double value;
	} rows[] = { { "trace_requests", 4 }, { "trace_span_s", 6 }, { "trace_rate_per_s", 0.5 },
		{ "trace_cv", 0.8660254037844386 }, { "trace_prompt_tokens", 25 },
		{ "trace_output_tokens", 3 } };
	static const char *const names[] = { "batching", "queueing" };
	static const char *const settings[] = { "arrivals=trace", "trace=four.csv" };
	char dir[64], err[320] = "", text[256];
	struct tables t = load_tables();

	enter(dir);
	write_file("four.csv", four);
	for (size_t s = 0; s < COUNT(names); s++) {
		struct live view;
		cr_assert(zero(int, own_inputs_read(
					    &t, sim_find(names[s]), settings, 2, err, sizeof err)),
			"%s", err);
		cr_assert(zero(int, live_open(&view, &t, names[s], settings, 2, err, sizeof err)),
			"%s", err);
		for (size_t i = 0; i < COUNT(rows); i++) {
			const struct value *v = figure_find(&view.figure, rows[i].id);
			cr_assert(v != NULL, "%s", rows[i].id);
			cr_expect(
				epsilon_eq(dbl, v->value, rows[i].value, 1e-12), "%s", rows[i].id);
		}
		/* What is kept of the place reads back. */
		live_setting(&view, text, sizeof text);
		cr_expect(strstr(text, "trace=four.csv") != NULL, "%s", text);
		live_release(&view);
	}
	cr_expect(eq(sz, t.n_traces, 4)); /* read once */
	tables_release(&t);
	leave(dir, "four.csv");
}

Test(own_inputs, refused_in_one_line)
{
	static const struct {
		const char *text, *words;
	} rows[] = {
		{ "arrival_s,prompt_tokens,output_token\n0,1,2\n",
			"own.csv: line 1: expected a column output_tokens, found "
			"\"output_token\"" },
		{ "time,in,out\n0,1,2\n",
			"own.csv: line 1: expected a column arrival_s, and 2 more columns are "
			"missing" },
		{ HEAD "0,1,2\n-3,1,2\n",
			"own.csv: line 3: arrival_s: expected 0 to 1e+09, found \"-3\"" },
		{ HEAD "2,1,2\n1.5,1,2\n",
			"own.csv: line 3: arrival_s: expected 2 or later, found 1.5" },
		{ HEAD, "own.csv: line 2: expected rows below the head, found none" },
		{ "arrival_s,prompt_tokens,output_tokens,blocks_512\n0,1,2,1\n",
			"own.csv: line 1: expected a column leading_blocks_seen_before" },
		{ "arrival_s,prompt_tokens,output_tokens,blocks_512,leading_blocks_seen_before\n"
		  "0,600,2,2,3\n",
			"own.csv: line 2: leading_blocks_seen_before: expected 2 at most, the "
			"blocks, found 3" },
	};
	static const char *const setting = "trace=own.csv";
	char dir[64], err[320];
	struct tables t = load_tables();

	enter(dir);
	for (size_t i = 0; i < COUNT(rows); i++) {
		write_file("own.csv", rows[i].text);
		err[0] = '\0';
		cr_expect(eq(int,
				  own_inputs_read(
					  &t, sim_find("queueing"), &setting, 1, err, sizeof err),
				  -1),
			"row %zu", i);
		cr_expect(eq(str, err, (char *)rows[i].words));
		cr_expect(eq(sz, t.n_traces, 3), "row %zu", i);
	}
	tables_release(&t);
	leave(dir, "own.csv");
}

Test(own_inputs, paths_refused)
{
	static const struct {
		const char *setting, *words;
	} rows[] = {
		{ "trace=./none.csv", "trace: ./none.csv: No such file or directory" },
		{ "trace=./", "trace: ./: expected a file" },
		{ "trace=a b.csv", "trace: expected a path of printable UTF-8 without blanks" },
		{ "trace=\x1b[2J.csv", "trace: expected a path of printable UTF-8 without blanks" },
		{ "trace=\xff.csv", "trace: expected a path of printable UTF-8 without blanks" },
		{ "trace=large.csv", "trace: large.csv: expected 64 MiB at most" },
		{ "trace=zero.csv", "trace: zero.csv: expected text, found a zero byte" },
	};
	char dir[64], err[320];
	struct tables t = load_tables();

	enter(dir);
	write_file("large.csv", "");
	write_file("zero.csv", "");
	cr_assert(zero(int, truncate("large.csv", (64 << 20) + 1))); /* a hole: no room taken */
	cr_assert(zero(int, truncate("zero.csv", 3)));
	for (size_t i = 0; i < COUNT(rows); i++) {
		err[0] = '\0';
		cr_expect(eq(int,
				  own_inputs_read(&t, sim_find("batching"), &rows[i].setting, 1,
					  err, sizeof err),
				  -1),
			"row %zu", i);
		cr_expect(eq(str, err, (char *)rows[i].words));
	}
	tables_release(&t);
	unlink("zero.csv");
	leave(dir, "large.csv");
}

/* Names go on as before: a slip in one is the knob's to refuse, and no file is looked for. */
Test(own_inputs, names_stay_names)
{
	static const char *const settings[] = { "trace=azure-cod", "arrivals=trace", "seed=1.5" };
	char err[320] = "";
	double v[MAX_KNOBS];
	struct tables t = load_tables();

	cr_expect(
		zero(int, own_inputs_read(&t, sim_find("queueing"), settings, 3, err, sizeof err)));
	cr_expect(
		zero(int, own_inputs_read(&t, sim_find("nothing"), settings, 3, err, sizeof err)));
	cr_expect(eq(sz, t.n_traces, 3));
	sim_defaults(sim_find("queueing"), &t, v);
	cr_expect(eq(int,
		sim_read_setting(sim_find("queueing"), &t, settings[0], v, err, sizeof err), -1));
	cr_expect(strstr(err, "did you mean \"azure-code\"?") != NULL, "%s", err);
	tables_release(&t);
}

/* Where two requests come at the same moment there are no gaps: it says so, and does not make up a
 * CV. */
Test(own_inputs, a_moment_has_no_gaps)
{
	static const char *const settings[] = { "arrivals=trace", "trace=one.csv" };
	static const char *const names[] = { "batching", "queueing" };
	char dir[64], err[320] = "";
	struct tables t = load_tables();

	enter(dir);
	write_file("one.csv", HEAD "5,10,1\n5,20,2\n");
	for (size_t s = 0; s < COUNT(names); s++) {
		struct live view;
		bool said = false;
		cr_assert(zero(int,
			own_inputs_read(&t, sim_find(names[s]), settings, 2, err, sizeof err)));
		cr_assert(zero(int, live_open(&view, &t, names[s], settings, 2, err, sizeof err)));
		for (size_t i = 0; i < view.figure.n_blocks; i++) {
			const struct block *b = view.figure.blocks[i];
			said |= b->kind == BLOCK_NOTE && strstr(b->as.note.text, "no gaps");
		}
		cr_expect(said, "%s", names[s]);
		cr_expect(zero(ptr, (void *)figure_find(&view.figure, "trace_cv")));
		live_release(&view);
	}
	tables_release(&t);
	leave(dir, "one.csv");
}

/* What a command answers, to be freed. */
static char *say(char *argv[], int *status)
{
	char *text = NULL;
	size_t size;
	int argc = 0;
	FILE *out = open_memstream(&text, &size);

	while (argv[argc])
		argc++;
	*status = command_run(argc, argv, &(struct streams){ stdin, out, out });
	fclose(out);
	return text;
}

Test(own_inputs, commands)
{
	static char *lines[][8] = {
		{ "sim", "batching", "arrivals=trace", "trace=four.csv", "--json", NULL },
		{ "frame", "queueing", "arrivals=trace", "trace=./four.csv", "--size", "100x32",
			NULL },
		{ "sim", "queueing", "trace=gone.csv", NULL },
	};
	static const struct {
		int status;
		const char *words;
	} want[] = { { 0, "four.csv" }, { 0, "four.csv" },
		{ 2, "ridge sim: trace: gone.csv: No such file or directory\n" } };
	char dir[64];

	enter(dir);
	write_file("four.csv", four);
	for (size_t i = 0; i < COUNT(lines); i++) {
		int status = -1;
		char *text = say(lines[i], &status);
		cr_expect(eq(int, status, want[i].status), "line %zu: %s", i, text);
		cr_expect(strstr(text, want[i].words) != NULL, "line %zu: %s", i, text);
		free(text);
	}
	leave(dir, "four.csv");
}

/* --- A model --- */

/* Two layers of 64, 4 heads of 16 of which 2 have keys and values: 2 x 2 x 2 x 16 x 2 B a token. */
static const char small[] =
	"{\"model_type\":\"llama\",\"hidden_size\":64,\"num_hidden_layers\":2,"
	"\"num_attention_heads\":4,\"num_key_value_heads\":2,\"intermediate_size\":128,"
	"\"vocab_size\":100,\"max_position_embeddings\":4096}";

Test(own_inputs, a_config_is_a_model_of_every_knob)
{
	static const char *const names[] = { "kvcache", "batching", "capacity", "parallelism",
		"memory", "speculative", "compile", "system", "timeline" };
	static const char *const settings[] = { "model=./small.json" };
	char dir[64], err[320] = "", text[512];
	struct tables t = load_tables();
	size_t n = t.n_models;

	enter(dir);
	write_file("small.json", small);
	for (size_t s = 0; s < COUNT(names); s++) {
		struct live view;
		cr_assert(zero(int, own_inputs_read(
					    &t, sim_find(names[s]), settings, 1, err, sizeof err)),
			"%s", err);
		cr_assert(zero(int, live_open(&view, &t, names[s], settings, 1, err, sizeof err)),
			"%s: %s", names[s], err);
		live_setting(&view, text, sizeof text);
		cr_expect(strstr(text, "model=./small.json") != NULL, "%s: %s", names[s], text);
		live_release(&view);
	}
	cr_expect(eq(sz, t.n_models, n + 1)); /* read once */
	const struct model *m = model_find(&t, "./small.json");
	cr_assert(m != NULL);
	cr_expect(eq(dbl, m->layers * m->kv_heads * m->head_dim * 2 * 2, 256));
	cr_expect(m->gated);
	cr_expect(eq(str, (char *)m->name, "small.json"));
	tables_release(&t);
	leave(dir, "small.json");
}

/* What a row cannot say is refused by its name, and so is what is no configuration. */
Test(own_inputs, a_config_that_says_more_is_refused)
{
	static const struct {
		const char *extra, *said;
	} rows[] = {
		{ ",\"num_local_experts\":8,\"num_experts_per_tok\":2",
			"has routed experts, which this does not" },
		{ ",\"kv_lora_rank\":8,\"model_type\":\"mixtral\"", "" },
		{ ",\"layer_types\":[\"conv\",\"full_attention\"],\"conv_L_cache\":3",
			"has short convolution" },
		{ ",\"hidden_act\":\"silu\",\"v_head_dim\":8", "of different sizes" },
		{ ",\"head_dim\":0.5", "head_dim: expected a whole number" },
	};
	static const char *const settings[] = { "model=./small.json" };
	char dir[64], err[400], json[1000];
	enter(dir);
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct tables t = load_tables();
		snprintf(
			json, sizeof json, "%.*s%s}", (int)strlen(small) - 1, small, rows[i].extra);
		write_file("small.json", json);
		*err = '\0';
		struct live view;
		int rc = own_inputs_read(&t, sim_find("compile"), settings, 1, err, sizeof err);
		if (rc == 0 &&
			(rc = live_open(&view, &t, "compile", settings, 1, err, sizeof err)) == 0)
			live_release(&view);
		cr_expect(eq(int, rc, *rows[i].said ? -1 : 0), "%s: %s", rows[i].extra, err);
		cr_expect(strstr(err, rows[i].said) != NULL, "%s: %s", rows[i].extra, err);
		tables_release(&t);
	}
	struct tables t = load_tables();
	static const char *const absent[] = { "model=./nothing.json" };
	cr_expect(
		eq(int, own_inputs_read(&t, sim_find("kvcache"), absent, 1, err, sizeof err), -1));
	cr_expect(strstr(err, "No such file") != NULL, "%s", err);
	tables_release(&t);
	leave(dir, "small.json");
}

/* The list of a knob's choices takes a path too: the other knobs stay as they are, and one that cannot be
 * read says why. */
Test(own_inputs, a_choice_may_be_a_path)
{
	char dir[64], err[200], setting[400];
	enter(dir);
	write_file("small.json", small);
	struct explorer e = explorer_start(30, 100, GLYPHS_ASCII);
	cr_assert(zero(int, app_open(e.app, "batching", (const char *[]){ "rate_per_s=3" }, 1, err,
				    sizeof err)));
	struct live *s = app_live(e.app);
	cr_assert(s != NULL);
	s->focus = sim_knob_index(s->sim, "model");
	explorer_press(&e, "Enter");
	explorer_type(&e, "./none.json");
	explorer_press(&e, "Enter");
	cr_expect(strstr(e.app->message, "No such file") != NULL, "%s", e.app->message);
	s = app_live(e.app);
	s->focus = sim_knob_index(s->sim, "model");
	explorer_press(&e, "Enter");
	explorer_type(&e, "./small.json");
	explorer_press(&e, "Enter");
	s = app_live(e.app);
	cr_assert(s != NULL);
	live_setting(s, setting, sizeof setting);
	cr_expect(eq(str, setting, "batching rate_per_s=3 model=./small.json"), "%s", setting);
	cr_expect(eq(int, s->focus, sim_knob_index(s->sim, "model")));
	explorer_end(&e);
	leave(dir, "small.json");
}

/* By the last part of its path that says something: the folder's, where the file is just a config.json. */
Test(own_inputs, a_model_is_called_by_its_file_or_folder)
{
	static const char config[] =
		"{\"model_type\":\"llama\",\"hidden_size\":8,\"num_hidden_layers\":2,"
		"\"num_attention_heads\":2,\"intermediate_size\":16,\"vocab_size\":10}";
	static const char *const rows[][2] = { { "m/config.json", "m" }, { "m", "m" },
		{ "m/", "m" }, { "./m", "m" }, { "small.json", "small.json" },
		{ "./small.json", "small.json" }, { "./config.json", "./config.json" },
		{ "m/../config.json", "m/../config.json" } };
	char dir[64], err[320] = "";
	struct tables t = load_tables();
	enter(dir);
	cr_assert(zero(int, mkdir("m", 0700)));
	write_file("m/config.json", config);
	write_file("small.json", config);
	write_file("config.json", config);
	for (size_t i = 0; i < COUNT(rows); i++) {
		cr_assert(zero(int, own_model_read(&t, rows[i][0], err, sizeof err)), "%s", err);
		const struct model *m = any_model_find(&t, rows[i][0]);
		cr_assert(m != NULL, "%s", rows[i][0]);
		cr_expect(eq(str, (char *)m->name, (char *)rows[i][1]));
	}
	/* A row of the tables is none, unless something of its name is there. */
	cr_expect(own_config_is_path("a/b") && own_config_is_path("x.json") &&
		  own_config_is_path("m"));
	cr_expect(not(own_config_is_path("llama3-8b")));
	cr_expect(not(own_config_is_path(".json")));
	tables_release(&t);
	unlink("m/config.json");
	unlink("small.json");
	unlink("config.json");
	rmdir("m");
	leave(dir, "none");
}

Test(own_inputs, models_refused)
{
	char dir[64], err[320] = "", path[300], longer[OWN_PATH_SIZE + 2];
	struct tables t = load_tables();
	enter(dir);
	memset(path, 'x', sizeof path - 1);
	path[sizeof path - 1] = '\0';
	cr_expect(eq(int, own_model_read(&t, path, err, sizeof err), -1));
	cr_expect(eq(str, err, "model: expected a path of under 256 bytes"));
	cr_expect(eq(int, own_model_read(&t, "a\x7f.json", err, sizeof err), -1));
	cr_expect(eq(int, own_model_read(&t, "a\xc2\x80.json", err, sizeof err), -1));
	cr_expect(eq(str, err, "model: expected a path of printable UTF-8 without blanks"));
	cr_expect(eq(int, own_model_read(&t, "none.json", err, sizeof err), -1));
	cr_expect(eq(str, err, "model: none.json: No such file or directory"));
	write_file("bad.json", "{}");
	cr_expect(eq(int, own_model_read(&t, "bad.json", err, sizeof err), -1));
	cr_expect(eq(str, err, "model: bad.json: model_type: expected, but missing"));
	memset(longer, 'x', sizeof longer - 1);
	longer[sizeof longer - 1] = '\0';
	cr_expect(zero(ptr, own_config_read(longer)));
	cr_expect(eq(int, errno, ENAMETOOLONG));
	tables_release(&t);
	leave(dir, "bad.json");
}
