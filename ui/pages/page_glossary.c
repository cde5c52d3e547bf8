#include "ui/pages/page_glossary.h"

#include "sims/base/array.h"

#include <stdint.h>
#include <string.h>

/* Whether a range is running text: links and numbers lead elsewhere already, and code and
 * headings have a style of their own. */
static bool is_prose(const struct page_run *run, struct page_range r)
{
	for (size_t i = run_piece(run, r.begin); i < run->n_pieces; i++) {
		const struct page_piece *p = &run->pieces[i];
		if (p->begin >= r.end)
			break;
		if (p->style != STYLE_PLAIN || p->link >= 0 || p->computed >= 0 || p->term)
			return false;
	}
	return true;
}

/* Makes a piece begin at a byte, if none did. False: memory is out. */
static bool split(struct page_run *run, size_t at)
{
	size_t i = run_piece(run, at);
	if (run->pieces[i].begin == at || at >= run->text.n)
		return true;
	struct page_piece later = run->pieces[i];
	size_t n = run->n_pieces;
	later.begin = at;
	ARRAY_APPEND(run->text.arena, run, pieces, n_pieces, cap_pieces, later);
	if (run->n_pieces == n)
		return false;
	memmove(&run->pieces[i + 2], &run->pieces[i + 1], (n - i - 1) * sizeof later);
	run->pieces[i + 1] = later;
	return true;
}

static void mark(struct page_marks *m, struct page_run *run, struct page_range r, size_t entry)
{
	struct page *p = m->page;
	size_t n = p->n_terms;
	ARRAY_APPEND(
		&p->arena, p, terms, n_terms, cap_terms, (struct page_term){ entry, SIZE_MAX });
	if (p->n_terms == n || !split(run, r.begin) || !split(run, r.end))
		return;
	for (size_t i = run_piece(run, r.begin); i < run->n_pieces && run->pieces[i].begin < r.end;
		i++) {
		run->pieces[i].attr |= ATTR_DOTTED;
		run->pieces[i].term = (int)p->n_terms;
	}
	m->met[entry] = true;
}

void terms_mark(struct page_marks *m, struct page_run *run, struct page_range r)
{
	const struct glossary *ix = m->terms;
	if (!ix || !ix->n_names || r.begin == r.end)
		return;
	if (!m->met)
		m->met = arena_array(m->scratch, ix->n_entries, sizeof *m->met);
	if (!m->met)
		return;
	for (size_t at = 0, n = r.end - r.begin; at < n;) {
		struct glossary_hit hit = glossary_find(ix, run->text.text + r.begin, n, at);
		struct page_range where = { r.begin + hit.begin, r.begin + hit.end };
		if (hit.found && !m->met[hit.entry] && is_prose(run, where))
			mark(m, run, where, hit.entry);
		at = hit.end;
	}
}
