"""Journals with forged texts and recomputed checksums: only the texts distinguish them from sound ones."""
import ctypes
import ctypes.util
import struct

HEAD = struct.Struct("<8s4IqQ4q")  # journal_private.h
RECORD = struct.Struct("<QqqqqqQ")  # journal_private.h
SUM = struct.Struct("<Q")
MAGIC = 0x9C1FE2D377C0A85B
IDENTITY, PATH, SWEEP = range(3)  # and the machines


def xxh3(data, seed=0):
    if not xxh3.library:
        xxh3.library = ctypes.CDLL(ctypes.util.find_library("xxhash"))
        xxh3.library.XXH3_64bits_withSeed.restype = ctypes.c_uint64
        xxh3.library.XXH3_64bits_withSeed.argtypes = ctypes.c_char_p, ctypes.c_size_t, ctypes.c_uint64
    return xxh3.library.XXH3_64bits_withSeed(bytes(data), len(data), seed)


xxh3.library = None


def texts(data):
    """The texts after the head, and where the first record begins."""
    at, found = HEAD.size, []
    for size in HEAD.unpack_from(data)[-4:]:
        found.append(data[at:at + size].decode())
        at += size
    return found, at + SUM.size


def records(data, at):
    """(first, count, lacking), ranges, packed bytes."""
    while at + RECORD.size <= len(data) and SUM.unpack_from(data, at)[0] == MAGIC:
        _, size, *cells, n_range, seed = RECORD.unpack_from(data, at)
        begin = at + RECORD.size + 16 * n_range
        packed, due = data[begin:begin + size], SUM.unpack_from(data, begin + size)[0]
        assert xxh3(packed, seed) == due
        yield cells, data[at + RECORD.size:begin], packed
        at = begin + size + SUM.size


def forged(data, change):
    """The journal with other texts: change([identity, path, sweep]) gives them."""
    head = list(HEAD.unpack_from(data))
    old, at = texts(data)
    new = [text.encode() for text in [*change(old[:3]), *old[3:]]]
    head[6] = fingerprint = xxh3(new[IDENTITY])
    head[-4:] = map(len, new)
    made = HEAD.pack(*head) + b"".join(new)
    made += SUM.pack(xxh3(made))
    for cells, ranges, packed in records(data, at):
        fixed = RECORD.pack(MAGIC, len(packed), *cells, len(ranges) // 16, 0)[:-SUM.size]
        seed = xxh3(ranges, xxh3(fixed, fingerprint)) if ranges else xxh3(fixed, fingerprint)
        made += fixed + SUM.pack(seed) + ranges + packed + SUM.pack(xxh3(packed, seed))
    return made


def forge(path, change):
    path.write_bytes(forged(path.read_bytes(), change))
