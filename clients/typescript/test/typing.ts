// Never run: the compiler checks that calls have the types that a reader expects.
import { type Hit, Toldonce, ToldonceError, type Record } from "../src/index.js";

export async function useTypes(): Promise<void> {
  const memory = new Toldonce("https://memory.example.org", { key: "tk_x" });
  const found = await memory.recall({ query: "cats", user: "ana", limit: 3 });
  const hits: Hit[] = found.hits;
  const first: string | undefined = hits[0]?.record.text;
  const said: Record | { skipped: string } = await memory.observe({ text: first ?? "hello" });
  if ("skipped" in said) return;
  for await (const record of memory.each("review.records", { user: "ana", states: ["active"] })) {
    const id: string = record.id;
    await memory.forget({ record_id: id });
  }
  const notes: number = (await memory.journals.write({ text: "Slept well", user: "ana" })).new.length;
  // @ts-expect-error A query is needed.
  await memory.recall({ user: "ana" });
  // @ts-expect-error There is no such state.
  await memory.review.records({ states: ["asleep"] });
  // @ts-expect-error This operation answers with no list.
  memory.each("recall", { query: "x" });
  throw new ToldonceError("Example", String(notes));
}
