/* The page around the pictures. What a filter hides is decided by attributes of sections and figures,
 * so that a few rules of CSS and one handler do all of it. */
#include "tests/sheet/sheet.h"

#include <string.h>

static void write_escaped(FILE *out, const char *text)
{
	for (; *text; text++)
		if (*text == '<' || *text == '>' || *text == '&' || *text == '"')
			fprintf(out, "&#%d;", *text);
		else
			fputc(*text, out);
}

static const char style[] =
	":root{color-scheme:dark;--zoom:.75}\n"
	"body{margin:0 0 4em;background:#22262b;color:#d8dee4;"
	"font:14px/1.5 system-ui,sans-serif}\n"
	"header{position:sticky;top:0;z-index:1;padding:.6em 1.2em;background:#14171a}\n"
	"form{display:flex;flex-wrap:wrap;gap:.3em 2.4em}\n"
	"fieldset{border:0;margin:0;padding:0;display:flex;gap:.9em}\n"
	"label{cursor:pointer;white-space:nowrap}\n"
	"h1{font-size:18px;margin:1.6em 1.2rem 0;scroll-margin-top:3em}\n"
	"nav{margin:.3em 1.2rem 0;font-size:13px}\n"
	"nav a{color:#9fb4cc;text-decoration:none;margin-right:1.2em;white-space:nowrap}\n"
	"main{display:flex;flex-wrap:wrap;align-items:flex-start;gap:0 1.2rem;padding:0 1.2rem}\n"
	"section{scroll-margin-top:3em}\n"
	"h2{font-size:14px;margin:1.4em 0 .4em;contain:inline-size}\n"
	"h2 code{font-weight:400;font-size:12px;color:#9e9e9e;margin-left:.8em}\n"
	"section div{display:flex;flex-wrap:wrap;gap:.8rem;align-items:flex-start}\n"
	"figure{margin:0}\n"
	"img{display:block;width:calc(var(--width)*var(--zoom));height:auto}\n"
	".refused{margin:0;color:#f0b0a0}\n";

/* A picture is loaded when it is first chosen. The address may choose:
 * index.html?size=80x24&ground=light&kind=opened. */
static const char script[] =
	"const form=document.forms[0],rules=document.getElementById('chosen');\n"
	"function show(){\n"
	"  const chosen=new FormData(form),hidden=[];\n"
	"  for(const name of ['size','ground','kind']){\n"
	"    const on=chosen.getAll(name);\n"
	"    for(const box of form.querySelectorAll(`[name=${name}]`))\n"
	"      if(!on.includes(box.value))hidden.push(`[data-${name}=\"${box.value}\"]`);\n"
	"  }\n"
	"  rules.textContent=`:root{--zoom:${chosen.get('zoom')}}`+\n"
	"    (hidden.length?hidden.join()+'{display:none!important}':'');\n"
	"  for(const img of document.images)\n"
	"    if(!img.src&&img.getClientRects().length)img.src=img.dataset.src;\n"
	"}\n"
	"const given=new URLSearchParams(location.search);\n"
	"for(const box of form.elements)\n"
	"  if(given.has(box.name))box.checked=given.getAll(box.name).includes(box.value);\n"
	"form.addEventListener('change',show);show();\n"
	"for(const main of document.querySelectorAll('main'))\n"
	"  for(const s of main.querySelectorAll('[data-kind=opened],[data-kind=screen]')){\n"
	"    const a=document.createElement('a');\n"
	"    a.href='#'+s.id;a.textContent=s.querySelector('h2').firstChild.textContent;\n"
	"    main.previousElementSibling.append(a,' ');\n"
	"  }\n";

static void write_choice(
	FILE *out, const char *type, const char *name, const char *value, bool checked)
{
	fprintf(out, "<label><input type=\"%s\" name=\"%s\" value=\"%s\"%s> %s</label>\n", type,
		name, value, checked ? " checked" : "", value);
}

static void write_sizes(FILE *out)
{
	enum { SHOWN_AT_FIRST = 1 };
	for (size_t i = 0; i < n_sheet_sizes; i++) {
		char value[32];
		snprintf(value, sizeof value, "%dx%d", sheet_sizes[i].cols, sheet_sizes[i].rows);
		write_choice(out, "checkbox", "size", value, i == SHOWN_AT_FIRST);
	}
}

void sheet_begin(FILE *out)
{
	static const char *const zooms[] = { "0.35", "0.5", "0.75", "1" };
	fprintf(out,
		"<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
		"<title>ridge: all screens</title>\n<style>\n%s</style><style id=\"chosen\">"
		"</style>\n</head><body>\n<header><form>\n<fieldset>\n",
		style);
	write_sizes(out);
	fputs("</fieldset>\n<fieldset>\n", out);
	write_choice(out, "checkbox", "ground", "dark", true);
	write_choice(out, "checkbox", "ground", "light", false);
	fputs("</fieldset>\n<fieldset>\n", out);
	for (size_t i = 0; sheet_kinds[i]; i++)
		write_choice(out, "checkbox", "kind", sheet_kinds[i],
			strcmp(sheet_kinds[i], "opened") == 0 ||
				strcmp(sheet_kinds[i], "screen") == 0);
	fputs("</fieldset>\n<fieldset>zoom\n", out);
	for (size_t i = 0; i < sizeof zooms / sizeof *zooms; i++)
		write_choice(out, "radio", "zoom", zooms[i], i == 2);
	fputs("</fieldset>\n</form></header>\n", out);
}

void sheet_group(FILE *out, const char *name, bool first)
{
	fprintf(out, "%s<h1>%s</h1><nav></nav>\n<main>\n", first ? "" : "</main>\n", name);
}

void sheet_section_begin(FILE *out, const struct shot *s, const char *id)
{
	fprintf(out, "<section id=\"%s\" data-kind=\"%s\"><h2>", id, s->kind);
	write_escaped(out, s->name);
	fputs("<code>", out);
	write_escaped(out, s->target);
	if (*s->target && *s->keys)
		fputs(" \xc2\xb7 ", out);
	write_escaped(out, s->keys);
	fputs("</code></h2>\n<div>\n", out);
}

void sheet_picture(FILE *out, const struct sheet_size *size, enum background on, const char *file,
	int width, int height)
{
	fprintf(out,
		"<figure data-size=\"%dx%d\" data-ground=\"%s\"><a href=\"%s\"><img data-src=\"%s\" "
		"loading=\"lazy\" width=\"%d\" height=\"%d\" style=\"--width:%dpx\" alt=\"\"></a>"
		"</figure>\n",
		size->cols, size->rows, on == BACKGROUND_LIGHT ? "light" : "dark", file, file,
		width, height, width);
}

void sheet_refusal(FILE *out, const char *why)
{
	fputs("<p class=\"refused\">", out);
	write_escaped(out, why);
	fputs("</p>\n", out);
}

void sheet_section_end(FILE *out)
{
	fputs("</div></section>\n", out);
}

void sheet_end(FILE *out)
{
	fprintf(out, "</main>\n<script>\n%s</script>\n</body></html>\n", script);
}
