/* What is installed and packaged: one version number everywhere, and nothing that is left behind. */
#include "tests/printed.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>
#include <string.h>

/* The program whose tests these are, and the folder that make built it in. */
static const char *program(void)
{
	const char *ridge = getenv("RIDGE");
	return ridge ? ridge : "build/ridge";
}

/* What a shell prints, without its last line break. The name of the program goes in for %s, twice at
 * most. To be freed. */
static char *said(const char *format)
{
	char command[1500], *text = NULL;
	size_t size;
	snprintf(command, sizeof command, format, program(), program());
	FILE *p = popen(command, "r"), *out = open_memstream(&text, &size);
	cr_assert(p != NULL && out != NULL);
	for (int c; (c = getc(p)) != EOF;)
		putc(c, out);
	pclose(p);
	fclose(out);
	if (size && text[size - 1] == '\n')
		text[size - 1] = '\0';
	return text;
}

/* The Makefile has the number; everything else takes it from there. Each row prints it. */
Test(packaging, one_version)
{
	static const char *const from[] = {
		"packaging/release version",
		"%s --version | sed 's/^ridge //'",
		"%s info | sed -n 's/^ridge  *//p'",
		"sed -n '/^## /{ s/^## \\(.*\\) (.*/\\1/p; q; }' CHANGELOG.md",
		"%s info --man | sed -n 's/^\\.TH .*\"ridge \\([^\"]*\\)\".*/\\1/p'",
		"%s info --completion bash | sed -n '1,3s/.*completion for ridge //p'",
		"%s info --completion zsh | sed -n '1,3s/.*completion for ridge //p'",
		"%s info --completion fish | sed -n '1,3s/.*completion for ridge //p'",
	};
	char *version = said("sed -n 's/^VERSION := //p' Makefile");
	cr_assert(strlen(version) >= strlen("1.0"), "%s", version);
	for (size_t i = 0; i < sizeof from / sizeof *from; i++) {
		char *text = said(from[i]);
		cr_expect(strncmp(text, version, strlen(version)) == 0 &&
				  !strpbrk(text + strlen(version), "0123456789\n"),
			"%s: %s, not %s", from[i], text, version);
		free(text);
	}
	free(version);
}

/* 2026-11-29 is 20,786 days after the first of 1970 (56 years of 365 days, 14 leap days, 332 days),
 * and a release without a date, or of another version, is refused. */
Test(packaging, the_day_of_a_release)
{
	static const struct {
		const char *heading, *says;
	} rows[] = {
		{ "## 9.8.7 (2026-11-29)", "1795910400" },
		{ "## 9.8.6 (2026-11-29)", "refused" },
		{ "## 9.8.7", "refused" },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char command[700];
		snprintf(command, sizeof command,
			"d=$(mktemp -d) && mkdir $d/packaging && cp packaging/release $d/packaging && "
			"echo 'VERSION := 9.8.7' > $d/Makefile && echo '%s' > $d/CHANGELOG.md && "
			"unset SOURCE_DATE_EPOCH; $d/packaging/release epoch 2> $d/error || echo refused; "
			"rm -r $d",
			rows[i].heading);
		char *text = said(command);
		cr_expect(eq(str, text, (char *)rows[i].says), "%s", rows[i].heading);
		free(text);
	}
}

/* All files with their modes, in a folder whose name has a blank; then none. */
Test(packaging, what_is_installed_is_removed)
{
	char *text = said(
		"unset MAKEFLAGS MAKELEVEL MFLAGS; d=$(mktemp -d) && "
		"make() { command make -o all B=\"$(dirname %s)\" PREFIX=/usr DESTDIR=\"$d/a b\" "
		"\"$@\"; } && umask 077 && make install > $d/said 2>&1 || cat $d/said; "
		"cd \"$d/a b\" && find . -type f -printf '%%m %%P\\n' | LC_ALL=C sort -k2; "
		"cd \"$OLDPWD\"; "
		"make uninstall > $d/said 2>&1 || cat $d/said; "
		"find \"$d/a b\" ! -type d; rm -r \"$d\"");
	cr_expect(eq(str, text,
		(char *)"755 usr/bin/ridge\n"
			"644 usr/share/bash-completion/completions/ridge\n"
			"644 usr/share/fish/vendor_completions.d/ridge.fish\n"
			"644 usr/share/man/man1/ridge.1\n"
			"644 usr/share/zsh/site-functions/_ridge"));
	free(text);
}
