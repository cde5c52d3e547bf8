/* Inline maths: what is maths, and how it reads in Unicode and in ASCII. */
#include "tests/page_shown.h"

#include "sims/base/rng.h"
#include "ui/pages/page_maths.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

static const struct {
	const char *tex, *unicode, *ascii;
} rows[] = {
	{ "x^2", "x²", "x^2" },
	{ "2n^3", "2n³", "2n^3" },
	{ "x_1 + x_{12}", "x₁ + x₁₂", "x_1 + x_12" },
	{ "2^{-k}", "2⁻ᵏ", "2^(-k)" },
	{ "p_{99}", "p₉₉", "p_99" },
	{ "c_a^2", "cₐ²", "c_a^2" },
	{ "e^{x/2}", "e^(x/2)", "e^(x/2)" }, /* no raised stroke */
	{ "w_Q", "w_Q", "w_Q" },
	{ "\\alpha + S / (N \\beta)", "α + S / (N β)", "alpha + S / (N beta)" },
	{ "Q K^T", "Q Kᵀ", "Q K^T" },
	{ "\\frac{a}{b}", "a/b", "a/b" },
	{ "\\frac{N - 1}{N} S", "(N - 1)/N S", "(N - 1)/N S" },
	{ "\\frac{1}{a \\cdot b}", "1/(a · b)", "1/(a * b)" },
	{ "\\frac1{x^2}", "1/x²", "1/(x^2)" },
	{ "\\frac{\\alpha\\cdot\\beta}{2}", "(α·β)/2", "(alpha*beta)/2" },
	{ "\\sqrt{L}", "√L", "sqrt(L)" },
	{ "\\sqrt{2 \\pi n}", "√(2 π n)", "sqrt(2 pi n)" },
	{ "\\sqrt[3]{x}", "³√x", "3-th sqrt(x)" },
	{ "\\sum_{i} x_i \\le \\infty", "Σᵢ xᵢ ≤ ∞", "sum_i x_i <= inf" },
	{ "a \\times b \\approx c", "a × b ≈ c", "a x b ~ c" },
	{ "t_{\\text{prep}}", "tₚᵣₑₚ", "t_prep" },
	{ "\\text{bytes moved}", "bytes moved", "bytes moved" },
	{ "\\left(\\frac{p}{q}\\right)^n", "(p/q)ⁿ", "(p/q)^n" },
	{ "O(\\log n)", "O(log n)", "O(log n)" },
	{ "\\mathcal{L}", "\\mathcal{L}", "\\mathcal{L}" }, /* not known: as typed */
	{ "\\nosuch x", "\\nosuch x", "\\nosuch x" },
	{ "50\\%\\,", "50% ", "50% " },
	{ "\\{x\\}", "{x}", "{x}" },
	{ "}^", "}^", "}^" },
	{ "{", "", "" },
	{ "\\", "\\", "\\" },
	{ "x^", "x^", "x^" },
	/* no raised q; a degree without an end, a root of nothing */
	{ "\\sqrt[q]{x}", "q√x", "q-th sqrt(x)" },
	{ "\\sqrt[n", "ⁿ√", "n-th sqrt()" },
	{ "\\sqrt", "√", "sqrt()" },
	/* signs between two need brackets, letters of any kind and what stands before its own do not */
	{ "\\frac{a±b}{2}", "(a±b)/2", "(a±b)/2" },
	{ "\\frac{a·b}{a×b}", "(a·b)/(a×b)", "(a·b)/(a×b)" },
	{ "\\frac{a÷b}{a→b}", "(a÷b)/(a→b)", "(a÷b)/(a→b)" },
	{ "\\frac{√2}{∞}", "√2/∞", "√2/∞" },
	{ "\\frac{é}{℃⌀}", "é/℃⌀", "é/℃⌀" },
	{ "\\frac{a}", "a/", "a/" },
	{ "x_ 2", "x₂", "x_2" },
	{ "a\\!b\\;c", "ab c", "ab c" },
	{ "\\text x", "\\text x", "\\text x" },
	{ "", "", "" },
};

Test(page_maths, reads_in_unicode_and_in_ascii)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct arena a = { 0 };
		const char *tex = rows[i].tex;
		const char *unicode = maths_text(&a, tex, strlen(tex), false);
		const char *ascii = maths_text(&a, tex, strlen(tex), true);
		cr_expect(eq(str, (char *)unicode, (char *)rows[i].unicode), "%s", tex);
		cr_expect(eq(str, (char *)ascii, (char *)rows[i].ascii), "%s", tex);
		arena_release(&a);
	}
}

/* In a page of 60 columns. */
static const struct {
	const char *markdown, *text;
} pages[] = {
	{ "It is $2n^3$ FLOP.", "It is 2n³ FLOP.\n" },
	{ "($n$) and $\\alpha$, $\\beta$.", "(n) and α, β.\n" },
	{ "$a_i$ and $b_i$", "aᵢ and bᵢ\n" },
	{ "$`a_{ij} \\% *b*`$ and `$x^2$`", "aᵢⱼ % *b* and $x^2$\n" },
	{ "**$x^2$** [$y_1$](z)", "x² y₁\n" },
	{ "| $x^2$ | b |\n|--|--|\n| $`y_1`$ | c |", "x²  b\n─────\ny₁  c\n" },
	/* money and shells */
	{ "At $10.20 an hour, $4.10 each.", "At $10.20 an hour, $4.10 each.\n" },
	{ "$50,000-$60,000 and $5/$6", "$50,000-$60,000 and $5/$6\n" },
	{ "from $5 or US$ to A$", "from $5 or US$ to A$\n" },
	{ "$HOME:$PATH and $ 5 $", "$HOME:$PATH and $ 5 $\n" },
	{ "$$x^2$$ costs 5$", "$$x^2$$ costs 5$\n" },
	{ "$5 then `code` and $", "$5 then code and $\n" },
	{ "$x +\ny$", "$x + y$\n" }, /* a formula stands on one line */
};

Test(page_maths, is_told_from_money)
{
	for (size_t i = 0; i < sizeof pages / sizeof *pages; i++) {
		char *text = shown(pages[i].markdown, 60);
		cr_expect(eq(str, text, (char *)pages[i].text), "%s", pages[i].markdown);
		free(text);
	}
}

Test(page_maths, stays_ascii_where_the_page_is)
{
	static const char markdown[] = "$\\sum_i \\frac{x_i^2}{\\sqrt{n}} \\ge \\alpha$\n";
	const struct page_env env = { .ascii = true };
	struct page p;
	cr_assert(zero(int, page_layout(&p, markdown, strlen(markdown), 80, &env)));
	cr_expect(eq(
		str, (char *)p.lines[0].spans[0].text, (char *)"sum_i (x_i^2)/(sqrt(n)) >= alpha"));
	page_release(&p);
}

/* Any bytes, and formulas that nest without end: text comes out, and soon. */
Test(page_maths, takes_anything)
{
	static const char letters[] = "\\{}^_[]$ afrcsqt2+";
	struct rng r = rng_stream(7, "maths", 0);
	char tex[200];
	for (int i = 0; i < 3000; i++) {
		struct arena a = { 0 };
		for (size_t j = 0; j < sizeof tex; j++)
			tex[j] = letters[rng_below(&r, sizeof letters - 1)];
		cr_assert(maths_text(&a, tex, rng_below(&r, sizeof tex), i % 2 == 0) != NULL);
		arena_release(&a);
	}
	const size_t size = 1 << 18;
	static const char *const units[] = { "{", "x^{", "\\frac{", "\\sqrt[", "^", "\\", "$x" };
	char *large = malloc(size + 1);
	cr_assert(large != NULL);
	for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
		struct arena a = { 0 };
		for (size_t j = 0; j < size; j++)
			large[j] = units[i][j % strlen(units[i])];
		large[size] = '\0';
		cr_expect(maths_text(&a, large, size, false) != NULL, "%s", units[i]);
		arena_release(&a);
	}
	free(large);
}
