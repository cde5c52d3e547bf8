/* Terms of the glossary in running text: the first mention of each is marked. */
#include "ui/pages/page_build.h"
#include "ui/pages/glossary.h"

#include <string.h>

/* Links and numbers lead elsewhere already; code and what else has a style of its own is no
 * text. */
static bool is_prose(const struct run *run, struct range r)
{
	for (size_t i = run_piece(run, r.begin); i < run->n_pieces; i++) {
		const struct piece *p = &run->pieces[i];
		if (p->begin >= r.end)
			break;
		if (p->style != STYLE_PLAIN || p->link >= 0 || p->computed >= 0 || p->term)
			return false;
	}
	return true;
}

/* The piece that begins at a byte: one more where none did. False: out of memory. */
static bool split(struct run *run, size_t at)
{
	size_t i = run_piece(run, at);
	if (run->pieces[i].begin == at || at >= run->n)
		return true;
	struct piece later = run->pieces[i];
	size_t n = run->n_pieces;
	later.begin = at;
	PAGE_PUSH(run->arena, run, pieces, n_pieces, cap_pieces, later);
	if (run->n_pieces == n)
		return false;
	memmove(&run->pieces[i + 2], &run->pieces[i + 1], (n - i - 1) * sizeof later);
	run->pieces[i + 1] = later;
	return true;
}

static void mark(struct build *b, struct run *run, struct range r, size_t entry)
{
	struct page *p = b->page;
	size_t n = p->n_terms;
	PAGE_PUSH(&p->arena, p, terms, n_terms, cap_terms, (struct page_term){ entry, SIZE_MAX });
	if (p->n_terms == n || !split(run, r.begin) || !split(run, r.end))
		return;
	for (size_t i = run_piece(run, r.begin); i < run->n_pieces && run->pieces[i].begin < r.end;
		i++) {
		run->pieces[i].attr |= ATTR_DOTTED;
		run->pieces[i].term = (int)p->n_terms;
	}
	b->met[entry] = true;
}

void terms_mark(struct build *b, struct run *run, struct range r)
{
	const struct glossary *ix = b->env ? b->env->terms : NULL;
	if (!ix || !ix->n_names || r.begin == r.end)
		return;
	if (!b->met)
		b->met = arena_array(&b->scratch, ix->n_entries, sizeof *b->met);
	if (!b->met)
		return;
	for (size_t at = 0, n = r.end - r.begin; at < n;) {
		struct glossary_hit hit = glossary_find(ix, run->text + r.begin, n, at);
		struct range where = { r.begin + hit.begin, r.begin + hit.end };
		if (hit.found && !b->met[hit.entry] && is_prose(run, where))
			mark(b, run, where, hit.entry);
		at = hit.end;
	}
}
