/* Each member and each element of a JSON text damaged, one at a time and in each of these ways: another
 * type, another size, another name, more of them than anybody means, or not there. For tests of what
 * reads files that users write. */
#ifndef RIDGE_TESTS_JSON_DAMAGE_H
#define RIDGE_TESTS_JSON_DAMAGE_H

#include <cjson/cJSON.h>
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum damage {
	DAMAGE_NULL,
	DAMAGE_TRUE,
	DAMAGE_NEGATIVE,
	DAMAGE_FRACTION,
	DAMAGE_HUGE,
	DAMAGE_NO_TEXT,
	DAMAGE_ODD_TEXT,
	DAMAGE_LONG_TEXT,
	DAMAGE_NO_LIST,
	DAMAGE_NO_OBJECT,
	DAMAGE_MANY,
	DAMAGE_OTHER_NAME,
	DAMAGE_GONE,
	N_DAMAGES
};

struct damage_trial {
	/* Reads a damaged text and checks what comes of it. True: it was refused. */
	bool (*refuses)(const char *json, const char *what);
	const cJSON *root;
	size_t tried, refused;
};

/* 200 copies of the first entry, under names of their own where entries have names. */
static inline cJSON *damage_many(const cJSON *first, bool named)
{
	enum { MANY = 200 };
	cJSON *list = named ? cJSON_CreateObject() : cJSON_CreateArray();
	for (int i = 0; i < MANY; i++) {
		char name[16];
		snprintf(name, sizeof name, "n%d", i);
		if (named)
			cJSON_AddItemToObject(list, name, cJSON_Duplicate(first, true));
		else
			cJSON_AddItemToArray(list, cJSON_Duplicate(first, true));
	}
	return list;
}

static inline void damage_number(cJSON *item, double value)
{
	item->type = cJSON_Number;
	item->valuedouble = value;
}

static inline void damage_text(cJSON *item, char *text)
{
	item->type = cJSON_String;
	item->valuestring = text;
}

/* False where this damage is none to this item. *kept: to be deleted afterwards. */
static inline bool damage_item(cJSON *item, enum damage how, char *long_text, cJSON **kept)
{
	cJSON *first = item->child;
	item->child = NULL;
	switch (how) {
	case DAMAGE_NULL:
		item->type = cJSON_NULL;
		return true;
	case DAMAGE_TRUE:
		item->type = cJSON_True;
		return true;
	case DAMAGE_NEGATIVE:
		damage_number(item, -1);
		return true;
	case DAMAGE_FRACTION:
		damage_number(item, 0.5);
		return true;
	case DAMAGE_HUGE:
		damage_number(item, 1e300);
		return true;
	case DAMAGE_NO_TEXT:
		damage_text(item, long_text + strlen(long_text));
		return true;
	case DAMAGE_ODD_TEXT:
		damage_text(item, long_text + strlen(long_text) - 3);
		return true;
	case DAMAGE_LONG_TEXT:
		damage_text(item, long_text);
		return true;
	case DAMAGE_NO_LIST:
		item->type = cJSON_Array;
		return true;
	case DAMAGE_NO_OBJECT:
		item->type = cJSON_Object;
		return true;
	case DAMAGE_MANY:
		if (!first)
			return false;
		*kept = damage_many(first, item->type == cJSON_Object);
		item->child = (*kept)->child;
		return true;
	case DAMAGE_OTHER_NAME:
		item->child = first;
		if (!item->string)
			return false;
		item->string = (char *)"xyzzy";
		return true;
	default:
		return false;
	}
}

static inline void damage_try(struct damage_trial *t, const char *name, int how)
{
	char what[100];
	char *json = cJSON_PrintUnformatted(t->root);
	cr_assert(json != NULL);
	snprintf(what, sizeof what, "damage %d of \"%.60s\"", how, name);
	t->tried++;
	t->refused += t->refuses(json, what);
	free(json);
}

static inline void damage_below(struct damage_trial *t, cJSON *parent)
{
	char long_text[304];
	memset(long_text, 'y', 300);
	strcpy(long_text + 300, "{q}");
	for (cJSON *item = parent->child; item; item = item->next) {
		const char *name = item->string     ? item->string
				   : parent->string ? parent->string
						    : "";
		for (int how = 0; how < DAMAGE_GONE; how++) {
			const cJSON before = *item;
			cJSON *kept = NULL;
			if (damage_item(item, (enum damage)how, long_text, &kept))
				damage_try(t, name, how);
			*item = before;
			cJSON_Delete(kept);
		}
		/* Left out: the one before it points behind it for a while. */
		cJSON *before = item == parent->child ? NULL : item->prev;
		if (before)
			before->next = item->next;
		else
			parent->child = item->next;
		damage_try(t, name, DAMAGE_GONE);
		if (before)
			before->next = item;
		else
			parent->child = item;
		damage_below(t, item);
	}
}

/* The text of `json` in every damaged form. Returns how many were tried; *refused of them were. */
static inline size_t damage_each(
	const char *json, bool (*refuses)(const char *json, const char *what), size_t *refused)
{
	cJSON *root = cJSON_Parse(json);
	cr_assert(root != NULL);
	struct damage_trial t = { .refuses = refuses, .root = root };
	damage_below(&t, root);
	cJSON_Delete(root);
	*refused = t.refused;
	return t.tried;
}

#endif
