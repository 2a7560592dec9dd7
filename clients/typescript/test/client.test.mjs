// tests/clients/test_typescript.py starts the server, and sets its address and two keys.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Toldonce, ToldonceError, ROUTES } from "../dist/index.js";

const { TOLDONCE_URL: address, TOLDONCE_API_KEY: key, TOLDONCE_OWNER_KEY: ownerKey } = process.env;
const memory = new Toldonce(address, { key });
const owner = new Toldonce(`${address}/`, { key: ownerKey });

test("what is remembered is recalled with its reasons", async () => {
  const kept = await memory.remember({ text: "Ana is allergic to peanuts", metadata: { area: "health" } });
  assert.equal(kept.user, "ana");
  const { hits } = await memory.recall({ query: "peanuts", where: { area: "health" } });
  assert.equal(hits[0].record.id, kept.id);
  assert.ok(hits[0].score > 0);
  assert.deepEqual((await memory.get({ record_id: kept.id })).text, "Ana is allergic to peanuts");
});

test("a message is kept or skipped with a reason, and settled into knowledge", async () => {
  const said = await memory.observe({ text: "me mudé a Sevilla el año pasado", session: "s1" });
  assert.equal(said.session, "s1");
  await memory.settle({ session: "s1" });
  assert.ok((await memory.timeline({ limit: 50 })).items.length > 0);
});

test("a list comes in pages, and each item once", async () => {
  for (let number = 0; number < 7; number += 1) await memory.remember({ text: `Fact number ${number}`, tags: ["n"] });
  const first = await memory.review.records({ limit: 3, kinds: ["fact"] });
  assert.equal(first.items.length, 3);
  assert.notEqual(first.next, null);
  const ids = new Set();
  for await (const record of memory.each("review.records", { limit: 3, kinds: ["fact"] })) ids.add(record.id);
  assert.ok(ids.size >= 7);
});

test("a bare value is the answer itself", async () => {
  assert.equal(await memory.journals.forget({ name: "nothing.md" }), 0);
  assert.equal(typeof (await memory.context({ query: "peanuts" })).text, "string");
});

test("a journal is written and listed", async () => {
  const written = await memory.journals.write({ text: "dormi mal", on: "2025-03-02", name: "a.md" });
  assert.equal(written.new.length, 1);
  assert.deepEqual((await memory.journals.notes()).items.map((note) => [note.name, note.on]), [["a.md", "2025-03-02"]]);
});

test("an error has a code, a status and a message", async () => {
  await assert.rejects(memory.get({ record_id: "fact/../none" }), (problem) => {
    assert.ok(problem instanceof ToldonceError);
    assert.deepEqual([problem.code, problem.status], ["RecordNotFound", 404]);
    assert.match(problem.message, /there is no record/);
    return true;
  });
  await assert.rejects(memory.remember({ text: "" }), { code: "EmptyText", status: 422 });
  await assert.rejects(memory.keys.all(), { status: 403 });
  await assert.rejects(new Toldonce(address, { key: "tk_wrong" }).stats(), { status: 401 });
  await assert.rejects(new Toldonce("http://127.0.0.1:9", { key }).stats(), { code: "Unreachable", status: 0 });
});

test("a call can be given up, and sent again without being carried out twice", async () => {
  await assert.rejects(memory.stats({}, { signal: AbortSignal.abort() }), { name: "AbortError" });
  const send = () => memory.observe({ text: "hello again", session: "s2" }, { idempotencyKey: "hello-1" });
  assert.equal((await send()).id, (await send()).id);
  assert.notEqual((await memory.observe({ text: "hello again", session: "s2" })).id, (await send()).id);
  const named = { text: "hello for good", session: "s2", idempotency_key: "hello-2" };
  assert.equal((await memory.observe(named)).id, (await memory.observe(named)).id);
  await assert.rejects(memory.observe({ ...named, text: "goodbye" }), { code: "KeyReused", status: 409 });
});

test("a document is changed only in the version that was read", async () => {
  const at = new Date().toISOString();
  const body = { name: "board", owner: "ana", space: "", version: 1, entries: [], data: { a: 1 }, at };
  const given = { name: "board", owner: "ana", body };
  const made = await memory.documents.change(given, { headers: { "If-None-Match": "*" } });
  assert.deepEqual(made.data, { a: 1 });
  await assert.rejects(memory.documents.change(given, { headers: { "If-None-Match": "*" } }), { status: 412 });
});

test("a memory is exported as a stream and imported, and so is a file of another program", async () => {
  const file = await (await owner.export({ format: "jsonl" })).text();
  assert.match(file, /peanuts/);
  assert.equal((await owner.import({ body: file })).what, "export");
  const rows = "body,who\nlikes rye bread,rui\n";
  const told = await owner.import({ format: "table", columns: { text: "body", user: "who" }, preview: true, body: rows });
  assert.deepEqual([told.kept, told.is_preview], [1, true]);
});

test("events are streamed, and a listener goes on where it stopped", async () => {
  const stop = new AbortController();
  const seen = [];
  const listening = (async () => {
    for await (const event of memory.events({ signal: stop.signal })) {
      seen.push(event);
      if (seen.length === 2) stop.abort();
    }
  })();
  let number = 0;
  while (seen.length < 2) {
    await memory.remember({ text: `Something new ${(number += 1)}` });
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await listening;
  assert.equal(seen[0].name, "record");
  assert.ok(seen[0].data.id);
  const again = new AbortController();
  for await (const event of memory.events({ signal: again.signal, lastEventId: seen[0].id })) {
    assert.deepEqual(event.data, seen[1].data);
    again.abort();
  }
});

test("every path of the table is one that the server knows", async () => {
  const described = await (await fetch(`${address}/openapi.json`, { headers: { Authorization: `Bearer ${key}` } })).json();
  for (const [name, [method, path]] of Object.entries(ROUTES)) {
    assert.equal(described.paths[path]?.[method.toLowerCase()]?.operationId, name);
  }
});
