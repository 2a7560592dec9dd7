"""A folder with all-MiniLM-L6-v2 (model.safetensors, vocab.txt) comes in, one int8 or float16 .npz goes out.

python scripts/build_minilm.py MODEL_FOLDER OUT.npz [--dtype int8|float16]
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

LAYERS = 6
HEAD_WIDTH = 32
TYPES = {"F32": np.float32, "F16": np.float16, "I64": np.int64}

Arrays = dict[str, NDArray[np.generic]]


def read_safetensors(path: Path) -> dict[str, NDArray[np.float32]]:
    """The format is eight bytes of header length, a JSON header, then raw little-endian data."""
    raw = path.read_bytes()
    size = int.from_bytes(raw[:8], "little")
    header = json.loads(raw[8 : 8 + size])
    found = {}
    for name, entry in header.items():
        if name == "__metadata__":
            continue
        first, last = entry["data_offsets"]
        values = np.frombuffer(raw[8 + size + first : 8 + size + last], dtype=TYPES[entry["dtype"]])
        found[name.removeprefix("bert.")] = values.reshape(entry["shape"])
    return found


def pack_matrix(out: Arrays, name: str, matrix: NDArray[np.float32], *, dtype: str) -> None:
    """One scale for each output unit or word. A layer's matrix lies as it is multiplied: loading copies nothing."""
    scale = np.maximum(np.abs(matrix).max(axis=1), 1e-12) / 127 if dtype == "int8" else np.ones(len(matrix))
    packed = np.rint(matrix / scale[:, None]).astype(np.int8) if dtype == "int8" else matrix.astype(np.float16)
    out[name] = packed if name == "words" else np.ascontiguousarray(packed.T)
    out[f"{name}.scale"] = scale.astype(np.float32)


def build(folder: Path, *, dtype: str) -> Arrays:
    tensors = read_safetensors(folder / "model.safetensors")
    out: Arrays = {"vocabulary": np.frombuffer((folder / "vocab.txt").read_bytes().strip(b"\n"), dtype=np.uint8)}
    pack_matrix(out, "words", tensors["embeddings.word_embeddings.weight"], dtype=dtype)
    # every token has type 0, so its row joins the place table
    places = tensors["embeddings.position_embeddings.weight"] + tensors["embeddings.token_type_embeddings.weight"][0]
    out["places"] = places.astype(np.float16)
    out["norm"] = norm_of(tensors, "embeddings.LayerNorm")
    for number in range(LAYERS):
        build_layer(out, tensors, number, dtype=dtype)
    return out


def norm_of(tensors: dict[str, NDArray[np.float32]], name: str) -> NDArray[np.float32]:
    return np.stack([tensors[f"{name}.weight"], tensors[f"{name}.bias"]]).astype(np.float32)


def build_layer(out: Arrays, tensors: dict[str, NDArray[np.float32]], number: int, *, dtype: str) -> None:
    base = f"encoder.layer.{number}."
    names = ["query", "key", "value"]
    factors = [HEAD_WIDTH**-0.5, 1.0, 1.0]
    parts = [
        tensors[f"{base}attention.self.{name}.weight"] * factor for name, factor in zip(names, factors, strict=True)
    ]
    biases = [
        tensors[f"{base}attention.self.{name}.bias"] * factor for name, factor in zip(names, factors, strict=True)
    ]
    pack_matrix(out, f"{number}.qkv", np.concatenate(parts).astype(np.float32), dtype=dtype)
    out[f"{number}.qkv_bias"] = np.concatenate(biases).astype(np.float32)
    for ours, theirs in (("out", "attention.output.dense"), ("up", "intermediate.dense"), ("down", "output.dense")):
        pack_matrix(out, f"{number}.{ours}", tensors[f"{base}{theirs}.weight"], dtype=dtype)
        out[f"{number}.{ours}_bias"] = tensors[f"{base}{theirs}.bias"].astype(np.float32)
    out[f"{number}.out_norm"] = norm_of(tensors, f"{base}attention.output.LayerNorm")
    out[f"{number}.down_norm"] = norm_of(tensors, f"{base}output.LayerNorm")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--dtype", choices=["int8", "float16"], default="int8")
    args = parser.parse_args()
    arrays = build(args.folder, dtype=args.dtype)
    np.savez(args.out, **arrays)  # type: ignore[arg-type]
    print(f"{args.out} {args.out.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
