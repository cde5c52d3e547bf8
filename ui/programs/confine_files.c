/* Landlock: a set of rules, each a folder or a file and what may be done beneath it; what no rule
 * allows is refused. The C library has no functions for it and headers may be older than the kernel, so
 * the three calls and the bits stand here by number, as the kernel's documents have them. */
#define _GNU_SOURCE /* O_PATH, syscall */
#include "ui/programs/confine_files.h"

#ifndef __linux__

int confine_files(enum confinement c, int dir, const char *const *readable)
{
	(void)c, (void)dir, (void)readable;
	return -1;
}

#else

#include "sims/base/array.h"

#include <fcntl.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

/* The same on every processor, Alpha aside. */
enum { CREATE_RULESET = 444, ADD_RULE = 445, RESTRICT_SELF = 446, VERSION_WANTED = 1, BENEATH = 1 };

/* What can be done with files, in the order of the bits. */
enum {
	EXECUTE = 1 << 0,
	WRITE_FILE = 1 << 1,
	READ_FILE = 1 << 2,
	READ_DIR = 1 << 3,
	REMOVE_DIR = 1 << 4,
	REMOVE_FILE = 1 << 5,
	MAKE_DIR = 1 << 7,
	MAKE_FILE = 1 << 8,
	TRUNCATE = 1 << 14,
	OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE,
	READ = EXECUTE | READ_FILE | READ_DIR
};

/* How many of them each version of Landlock knows: what is new in it came at the end. */
enum {
	OLDEST_BITS = 13,
	REFER_VERSION = 2,
	TRUNCATE_VERSION = 3,
	NET_VERSION = 4,
	DEVICE_VERSION = 5,
	SCOPE_VERSION = 6
};

struct rules {
	uint64_t files;
	uint64_t network; /* bind and connect by TCP */
	uint64_t scope;   /* abstract sockets and signals of others */
};

struct beneath {
	uint64_t allowed;
	int32_t parent;
} __attribute__((packed));

static const char *const system_reads[] = { "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64",
	"/libx32", "/nix/store", "/gnu/store", "/etc/ld.so.cache", "/etc/ld.so.preload",
	"/dev/null", "/dev/zero", "/dev/random", "/dev/urandom" };

static struct rules all_rules(int version)
{
	int bits = OLDEST_BITS + (version >= REFER_VERSION) + (version >= TRUNCATE_VERSION) +
		   (version >= DEVICE_VERSION);
	return (struct rules){ .files = ((uint64_t)1 << bits) - 1,
		.network = version >= NET_VERSION ? 3 : 0,
		.scope = version >= SCOPE_VERSION ? 3 : 0 };
}

/* An older kernel refuses what is longer than it knows. */
static size_t rules_size(int version)
{
	return version >= SCOPE_VERSION ? sizeof(struct rules)
	       : version >= NET_VERSION ? offsetof(struct rules, scope)
					: offsetof(struct rules, network);
}

static int allow_open(int set, int fd, uint64_t allowed)
{
	struct stat st;
	if (fstat(fd, &st))
		return -1;
	struct beneath rule = { S_ISDIR(st.st_mode) ? allowed : allowed & OF_FILES, fd };
	return (int)syscall(ADD_RULE, set, BENEATH, &rule, 0);
}

/* What is not there needs no rule. */
static int allow(int set, const char *path, uint64_t allowed)
{
	int fd = open(path, O_PATH | O_CLOEXEC);
	if (fd < 0)
		return 0;
	int rc = allow_open(set, fd, allowed);
	close(fd);
	return rc;
}

static int fill(int set, uint64_t known, enum confinement c, int dir, const char *const *readable)
{
	uint64_t writes = WRITE_FILE | REMOVE_DIR | REMOVE_FILE | MAKE_DIR | MAKE_FILE | TRUNCATE;
	bool compiler = c == CONFINED_COMPILER;
	int rc = allow_open(set, dir, (READ | (compiler ? writes : 0)) & known);
	for (size_t i = 0; i < LENGTH(system_reads); i++)
		rc |= allow(set, system_reads[i], READ);
	for (size_t i = 0; readable && readable[i]; i++)
		rc |= allow(set, readable[i], READ);
	if (compiler)
		rc |= allow(set, "/dev/null", (READ_FILE | WRITE_FILE | TRUNCATE) & known);
	return rc;
}

int confine_files(enum confinement c, int dir, const char *const *readable)
{
	int version = (int)syscall(CREATE_RULESET, NULL, 0, VERSION_WANTED);
	if (version < 1)
		return -1;
	struct rules all = all_rules(version);
	int set = (int)syscall(CREATE_RULESET, &all, rules_size(version), 0);
	if (set < 0)
		return -1;
	int rc = fill(set, all.files, c, dir, readable) || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
				 syscall(RESTRICT_SELF, set, 0)
			 ? -1
			 : 0;
	close(set);
	return rc;
}

#endif
