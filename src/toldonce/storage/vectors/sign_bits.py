"""Unit vectors as two bits a dimension, and what the bits say about the cosine of a vector and a question.

Rows are turned by a fixed rotation first, so that every coordinate looks normally distributed and one bit says as much
as another. Nothing here knows of keys or stores.
"""

from __future__ import annotations

import hashlib
import math
from functools import cache, cached_property

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Words = NDArray[np.uint64]
Counts = NDArray[np.unsignedinteger]

ROTATIONS = 2
# Four even levels lose least of a normally distributed coordinate when they stand this many deviations apart.
STEP = 0.9957
# What a coordinate and its level have in common, on average.
KEPT = 0.8825
# A question keeps four bits a dimension, in two's complement; a fifth bit won less than 0.001 of recall.
QUESTION_STEP = 0.34
QUESTION_WEIGHTS = (1, 2, 4, -8)


def encode_sign_bits(rows: Floats) -> Words:
    """Two bits a coordinate, the words of the coarse ones first: together the number of its level, from 0 to 3."""
    turned = _rotate_rows(rows)
    positive = turned >= 0
    fine = (turned >= STEP) | (~positive & (turned >= -STEP))
    return np.concatenate((_pack_bits(positive), _pack_bits(fine))).T


class BitQuery:
    """A question to compare rows with. What that takes is worked out when it is needed, and kept."""

    def __init__(self, vector: Floats) -> None:
        self.vector = vector

    @cached_property
    def turned(self) -> Floats:
        """The question as one column, turned as rows are; rounding may differ from theirs and move a bit at most."""
        length = float(np.sqrt(np.vecdot(self.vector, self.vector))) or 1.0
        scaled = self.vector * np.float32(math.sqrt(len(self.vector)) / length)
        column: Floats = np.vecdot(_rotation_matrix(len(self.vector)), scaled)
        return column[:, None]

    @cached_property
    def coarse(self) -> Words:
        """Its coarse bits."""
        return _pack_bits(self.turned >= 0)[:, 0]

    @cached_property
    def planes(self) -> tuple[Words, np.float32]:
        """Its four bits a dimension, one after the other and each twice over, and what the middle levels add up to."""
        steps = np.clip(np.rint(self.turned / QUESTION_STEP), -8, 7).astype(np.int8)
        planes = _pack_bits((steps >> np.arange(len(QUESTION_WEIGHTS), dtype=np.int8) & 1).astype(np.bool_))
        # The four levels are numbered from 0, and their middle is 1.5.
        side_by_side = np.ascontiguousarray(np.concatenate((planes, planes)).T)
        return side_by_side, np.float32(1.5 * float(steps.sum(dtype=np.int32)))


def count_differing_bits(words: Words, question: Words) -> Counts:
    """In how many bits each column of words differs from the question."""
    count = words.shape[1]
    total: Counts = np.zeros(count, np.uint8 if 64 * len(words) < 256 else np.uint16)
    different, ones = np.empty(count, np.uint64), np.empty(count, np.uint8)
    for column, word in zip(words, question, strict=True):
        np.bitwise_xor(column, word, out=different)
        total += np.bitwise_count(different, out=ones)
    return total


def estimate_cosines(bits: Words, question: BitQuery) -> Floats:
    """About the cosines of rows and the question, from two bits a coordinate of theirs and four of its own."""
    planes, middle = question.planes
    ones = np.bitwise_count(bits.T & planes[:, :, None]).reshape(planes.size, len(bits))
    total = (ones * _bit_weights(planes.shape[1])).sum(axis=0, dtype=np.int32)
    cosines: Floats = (total - middle) * np.float32(QUESTION_STEP * STEP / KEPT / len(question.vector))
    return cosines


@cache
def _bit_weights(words: int) -> NDArray[np.int16]:
    """What a bit in common counts, word by word of each plane: a coarse one twice what a fine one does."""
    levels = np.repeat(np.array([2, 1], np.int16), words // 2)
    return np.outer(np.array(QUESTION_WEIGHTS, np.int16), levels).reshape(-1, 1)


@cache
def _random_signs(dimensions: int) -> Floats:
    """Fixed random signs for each rotation, the same on every machine."""
    noise = hashlib.shake_256(b"sign bits %d" % dimensions).digest(ROTATIONS * dimensions)
    ones = np.frombuffer(noise, np.uint8).reshape(ROTATIONS, dimensions, 1) & 1
    return np.where(ones, np.float32(1), np.float32(-1))


def _hadamard_transform(columns: Floats) -> Floats:
    """The Walsh-Hadamard transform of each column, its length kept. Made of sums: the same on every machine."""
    half, other = len(columns) // 2, np.empty_like(columns)
    for _ in range(half.bit_length()):
        np.add(columns[:half], columns[half:], out=other[0::2])
        np.subtract(columns[:half], columns[half:], out=other[1::2])
        columns, other = other, columns
    return columns * np.float32(1 / math.sqrt(len(columns)))


def _rotate_rows(rows: Floats) -> Floats:
    """Rows as columns, turned so that coordinates look normally distributed with deviation 1."""
    dimensions = rows.shape[1]
    lengths = np.sqrt(np.square(rows, dtype=np.float64).sum(axis=1))
    lengths[lengths == 0] = 1
    turned = np.ascontiguousarray((rows * (math.sqrt(dimensions) / lengths)[:, None]).T, dtype=np.float32)
    block = 1 << (dimensions.bit_length() - 1)
    for signs in _random_signs(dimensions):
        turned *= signs
        turned[:block] = _hadamard_transform(turned[:block].copy())
        if block < dimensions:
            turned[-block:] = _hadamard_transform(turned[-block:].copy())
    return turned


@cache
def _rotation_matrix(dimensions: int) -> Floats:
    """The rotation as a matrix, for one vector at a time."""
    return _rotate_rows(np.eye(dimensions, dtype=np.float32)) / np.float32(math.sqrt(dimensions))


def _pack_bits(bits: NDArray[np.bool_]) -> Words:
    """Columns of bits as columns of 64-bit words."""
    dimensions, count = bits.shape
    packed = np.zeros((-(-dimensions // 64) * 8, count), np.uint8)
    packed[: -(-dimensions // 8)] = np.packbits(bits, axis=0)
    return np.ascontiguousarray(packed.reshape(-1, 8, count).swapaxes(1, 2)).view(np.uint64)[:, :, 0]
