/* A reader by recursive descent that writes as it reads: `sequence` takes what stands up to a
 * closing bracket, `argument` one group, command or character, and the functions between them turn
 * scripts, fractions and roots into text. */
#include "ui/pages/page_maths.h"

#include "sims/base/array.h"
#include "sims/base/utf8.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>

enum { DEEPEST = 24 };

struct maths_reader {
	const char *at, *end;
	bool ascii;
	int depth;
};

struct symbol {
	const char *name, *unicode, *ascii;
};
/* clang-format off */
static const struct symbol symbols[] = {
	{ "alpha", "α", "alpha" }, { "beta", "β", "beta" }, { "gamma", "γ", "gamma" },
	{ "delta", "δ", "delta" }, { "epsilon", "ε", "epsilon" },
	{ "varepsilon", "ε", "epsilon" }, { "zeta", "ζ", "zeta" }, { "eta", "η", "eta" },
	{ "theta", "θ", "theta" }, { "kappa", "κ", "kappa" }, { "lambda", "λ", "lambda" },
	{ "mu", "μ", "mu" }, { "nu", "ν", "nu" }, { "xi", "ξ", "xi" }, { "pi", "π", "pi" },
	{ "rho", "ρ", "rho" }, { "sigma", "σ", "sigma" }, { "tau", "τ", "tau" },
	{ "phi", "φ", "phi" }, { "varphi", "φ", "phi" }, { "chi", "χ", "chi" },
	{ "psi", "ψ", "psi" }, { "omega", "ω", "omega" }, { "Gamma", "Γ", "Gamma" },
	{ "Delta", "Δ", "Delta" }, { "Theta", "Θ", "Theta" }, { "Lambda", "Λ", "Lambda" },
	{ "Xi", "Ξ", "Xi" }, { "Pi", "Π", "Pi" }, { "Sigma", "Σ", "Sigma" },
	{ "Phi", "Φ", "Phi" }, { "Psi", "Ψ", "Psi" }, { "Omega", "Ω", "Omega" },
	{ "ell", "ℓ", "l" }, { "times", "×", "x" }, { "cdot", "·", "*" }, { "div", "÷", "/" },
	{ "pm", "±", "+-" }, { "le", "≤", "<=" }, { "leq", "≤", "<=" }, { "ge", "≥", ">=" },
	{ "geq", "≥", ">=" }, { "ne", "≠", "!=" }, { "neq", "≠", "!=" }, { "approx", "≈", "~" },
	{ "sim", "~", "~" }, { "propto", "∝", " in proportion to " }, { "ll", "≪", "<<" },
	{ "gg", "≫", ">>" }, { "to", "→", "->" }, { "rightarrow", "→", "->" },
	{ "leftarrow", "←", "<-" }, { "Rightarrow", "⇒", "=>" }, { "in", "∈", "in" },
	{ "infty", "∞", "inf" }, { "sum", "Σ", "sum" }, { "prod", "Π", "prod" },
	{ "int", "∫", "int" }, { "partial", "∂", "d" }, { "nabla", "∇", "grad" },
	{ "dots", "…", "..." }, { "ldots", "…", "..." }, { "cdots", "…", "..." },
	{ "lfloor", "⌊", "floor(" }, { "rfloor", "⌋", ")" }, { "lceil", "⌈", "ceil(" },
	{ "rceil", "⌉", ")" }, { "lvert", "|", "|" }, { "rvert", "|", "|" }, { "mid", "|", "|" },
	{ "top", "T", "T" }, { "log", "log", "log" }, { "ln", "ln", "ln" },
	{ "exp", "exp", "exp" }, { "min", "min", "min" }, { "max", "max", "max" },
	{ "left", "", "" }, { "right", "", "" }, { "quad", "  ", "  " },
	{ "qquad", "    ", "    " },
};
/* The characters that have a raised or lowered form, each followed by it. */
static const char raised[] =
	"0⁰1¹2²3³4⁴5⁵6⁶7⁷8⁸9⁹+⁺-⁻=⁼(⁽)⁾aᵃbᵇcᶜdᵈeᵉfᶠgᵍhʰiⁱjʲkᵏlˡmᵐnⁿoᵒpᵖrʳsˢtᵗuᵘvᵛwʷxˣyʸzᶻTᵀ";
static const char lowered[] =
	"0₀1₁2₂3₃4₄5₅6₆7₇8₈9₉+₊-₋=₌(₍)₎aₐeₑhₕiᵢjⱼkₖlₗmₘnₙoₒpₚrᵣsₛtₜuᵤvᵥxₓ";
/* clang-format on */

static const struct symbol *symbol_of(const char *name, size_t n)
{
	for (size_t i = 0; i < LENGTH(symbols); i++)
		if (strlen(symbols[i].name) == n && memcmp(symbols[i].name, name, n) == 0)
			return &symbols[i];
	return NULL;
}

/* Puts the whole text in raised or lowered letters. False: one of them has no such form. */
static bool put_small(struct arena_buffer *t, const char *text, const char *forms)
{
	const size_t before = t->n;
	for (uint32_t code; (code = utf8_next(&text));) {
		const char *p = forms, *form = NULL;
		for (uint32_t c; !form && (c = utf8_next(&p));) {
			const char *its = p;
			utf8_next(&p);
			form = c == code ? its : NULL;
		}
		if (!form) {
			t->n = before;
			return false;
		}
		const char *end = form;
		utf8_next(&end);
		arena_append(t, form, (size_t)(end - form));
	}
	return true;
}

/* Whether a character is part of a name or number, not a sign between two. */
static bool is_letter(uint32_t c)
{
	if (c < 0x80)
		return isalnum((int)c) || c == '.';
	bool sign = (c >= 0x2190 && c < 0x2300) || c == 0xb1 || c == 0xb7 || c == 0xd7 || c == 0xf7;
	return !sign || c == 0x221a || c == 0x221e;
}

/* Whether a text is one letter, number or word and needs no brackets. */
static bool is_atom(const char *text)
{
	for (uint32_t code; (code = utf8_next(&text));)
		if (!is_letter(code))
			return false;
	return true;
}

static void put_atom(struct arena_buffer *t, const char *text)
{
	bool atom = is_atom(text);
	arena_append_text(t, atom ? "" : "(");
	arena_append_text(t, text);
	arena_append_text(t, atom ? "" : ")");
}

static void sequence(struct maths_reader *m, struct arena_buffer *out, char stop);

/* Reads the argument that comes next, as text of its own: {...}, \name or one character. */
static const char *argument(struct maths_reader *m, struct arena_buffer *out)
{
	struct arena_buffer t = { .arena = out->arena };
	arena_append_text(&t, "");
	while (m->at < m->end && *m->at == ' ')
		m->at++;
	if (m->at < m->end && *m->at == '{') {
		m->at++;
		sequence(m, &t, '}');
		m->at += m->at < m->end;
	} else if (m->at < m->end) {
		const char *end = m->end, *next = m->at;
		if (*m->at == '\\')
			for (next++; next < end && isalpha((unsigned char)*next);)
				next++;
		else
			utf8_next(&next);
		m->end = next;
		sequence(m, &t, '\0');
		m->end = end;
	}
	return arena_buffer_text(&t);
}

static void script(struct maths_reader *m, struct arena_buffer *out)
{
	const char mark[2] = { *m->at++, '\0' };
	const char *text = argument(m, out);
	if (*text && !m->ascii && put_small(out, text, mark[0] == '^' ? raised : lowered))
		return;
	arena_append_text(out, mark);
	put_atom(out, text);
}

static void fraction(struct maths_reader *m, struct arena_buffer *out)
{
	put_atom(out, argument(m, out));
	arena_append_text(out, "/");
	put_atom(out, argument(m, out));
}

static void root(struct maths_reader *m, struct arena_buffer *out)
{
	if (m->at < m->end && *m->at == '[') {
		struct arena_buffer degree = { .arena = out->arena };
		m->at++;
		sequence(m, &degree, ']');
		m->at += m->at < m->end;
		const char *n = arena_buffer_text(&degree);
		if (m->ascii || !put_small(out, n, raised)) {
			arena_append_text(out, n);
			arena_append_text(out, m->ascii ? "-th " : "");
		}
	}
	const char *text = argument(m, out);
	arena_append_text(out, m->ascii ? "sqrt(" : is_atom(text) ? "√" : "√(");
	arena_append_text(out, text);
	arena_append_text(out, m->ascii || !is_atom(text) ? ")" : "");
}

/* Whether a command, such as \text, shows its argument as it stands there. */
static bool is_upright(const char *name, size_t n)
{
	static const char *const all[] = { "text", "mathrm", "mathbf", "mathit", "operatorname" };
	for (size_t i = 0; i < LENGTH(all); i++)
		if (strlen(all[i]) == n && memcmp(all[i], name, n) == 0)
			return true;
	return false;
}

static void command(struct maths_reader *m, struct arena_buffer *out)
{
	const char *name = ++m->at;
	while (m->at < m->end && isalpha((unsigned char)*m->at))
		m->at++;
	size_t n = (size_t)(m->at - name);
	const struct symbol *s = symbol_of(name, n);
	if (n == 4 && memcmp(name, "frac", 4) == 0) {
		fraction(m, out);
	} else if (n == 4 && memcmp(name, "sqrt", 4) == 0) {
		root(m, out);
	} else if (is_upright(name, n) && m->at < m->end && *m->at == '{') {
		arena_append_text(out, argument(m, out));
	} else if (s) {
		arena_append_text(out, m->ascii ? s->ascii : s->unicode);
	} else if (n) { /* unknown: as typed, with its braces */
		arena_append(out, name - 1, n + 1);
		while (m->at < m->end && *m->at == '{') {
			arena_append_text(out, "{");
			arena_append_text(out, argument(m, out));
			arena_append_text(out, "}");
		}
	} else if (m->at < m->end && strchr(",;: ", *m->at)) {
		arena_append_text(out, " ");
		m->at++;
	} else if (m->at < m->end && *m->at == '!') {
		m->at++;
	} else if (m->at < m->end) { /* \{ \% \_ */
		const char *from = m->at;
		utf8_next(&m->at);
		arena_append(out, from, (size_t)(m->at - from));
	} else {
		arena_append_text(out, "\\");
	}
}

/* Reads everything up to `stop` (0: to the end). What nests deeper than any real formula is
 * shown as typed. */
static void sequence(struct maths_reader *m, struct arena_buffer *out, char stop)
{
	if (++m->depth > DEEPEST) {
		arena_append(out, m->at, (size_t)(m->end - m->at));
		m->at = m->end;
	}
	while (m->at < m->end && (!stop || *m->at != stop)) {
		const char *from = m->at;
		if (*m->at == '\\')
			command(m, out);
		else if ((*m->at == '^' || *m->at == '_') && m->at + 1 < m->end)
			script(m, out);
		else if (*m->at == '{')
			arena_append_text(out, argument(m, out));
		else {
			utf8_next(&m->at);
			m->at = m->at > m->end ? m->end : m->at;
			arena_append(out, from, (size_t)(m->at - from));
		}
	}
	m->depth--;
}

const char *maths_text(struct arena *a, const char *tex, size_t bytes, bool ascii)
{
	char *copy = arena_alloc(a, bytes + 1); /* terminated: utf8_next reads ahead */
	if (!copy)
		return NULL;
	memcpy(copy, tex, bytes);
	struct arena_buffer out = { .arena = a };
	struct maths_reader m = { copy, copy + bytes, ascii, 0 };
	arena_append_text(&out, "");
	sequence(&m, &out, '\0');
	return a->failed ? NULL : out.text;
}

size_t maths_bytes(const char *text, char before)
{
	if (isalnum((unsigned char)before) || before == '$' || isspace((unsigned char)text[1]))
		return 0;
	const char *end = text + 1 + strcspn(text + 1, "$\n");
	size_t n = (size_t)(end - text) - 1;
	if (*end != '$' || !n || isspace((unsigned char)end[-1]) ||
		isalnum((unsigned char)end[1]) || end[1] == '$')
		return 0;
	/* "$5 to US$" is money, not a formula. */
	bool sum = isdigit((unsigned char)text[1]) && strcspn(text + 1, "\\^_=") >= n;
	return sum ? 0 : n + 2;
}
