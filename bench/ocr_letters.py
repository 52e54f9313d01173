"""The OCR letters as sequences: from one line a letter to CRFsuite's format.

usage: ocr_letters.py FILE PART > PART.crfsuite

A line of FILE (plain, or .xz) is `part word position label pixel pixel …`: the label a number from 0, the pixels those that
are set. PART is `train` (the fold that Taskar, Guestrin and Koller train on) or `test` (the nine others). Every set pixel
becomes an attribute; the label becomes its letter.
"""

import lzma
import sys


def lines(name):
    with (lzma.open(name, "rt") if name.endswith(".xz") else open(name)) as file:
        yield from file


def main(name, part, out=sys.stdout):
    before = None
    for line in lines(name):
        of_part, word, _, label, *pixels = line.split()
        if of_part != part:
            continue
        if before not in (None, word):
            out.write("\n")
        before = word
        out.write("\t".join([chr(ord("a") + int(label)), *("p" + pixel for pixel in pixels)]) + "\n")


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[2] not in ("train", "test"):
        sys.exit(__doc__.strip())
    main(*sys.argv[1:])
