import {
  type Answer,
  type Arguments,
  type CallOptions,
  MemoryOperations,
  type OperationName,
  type Operations,
  type Page,
  ROUTES,
} from "./operations.js";

const TIMEOUT_MS = 75_000;
const RECONNECT_MS = 1_000;

export interface ClientOptions {
  /** The key of the server, as `toldonce keys add` prints it. */
  key: string;
  /** How long an answer may take, in milliseconds; 75 seconds unless said otherwise. */
  timeoutMs?: number;
  /** What sends requests; the global `fetch` unless said otherwise. */
  fetch?: typeof fetch;
}

/** A change of a record, a question or a job. It carries ids and states, never text. */
export interface MemoryEvent {
  id: string;
  name: string;
  data: { [key: string]: unknown };
}

/** What the server refused, or why it was not reached. */
export class ToldonceError extends Error {
  /** The name of the error for programs, such as `RecordNotFound`, `QuotaExceeded` or `Unreachable`. */
  readonly code: string;
  /** The HTTP status; 0 where no answer came. */
  readonly status: number;
  /** Everything that the server told of it, such as `limit` or `retry_after_s`. */
  readonly details: { [key: string]: unknown };

  constructor(code: string, message: string, status = 0, details: { [key: string]: unknown } = {}) {
    super(message);
    this.name = "ToldonceError";
    this.code = code;
    this.status = status;
    this.details = details;
  }
}

/** Operations that answer with a page of a list, and what its items are. */
type ListName = { [N in OperationName]: Operations[N]["answer"] extends Page<unknown> ? N : never }[OperationName];
type ItemOf<N extends ListName> = Answer<N> extends Page<infer T> ? T : never;

/** A memory on a server. */
export class Toldonce extends MemoryOperations {
  private readonly address: string;
  private readonly options: ClientOptions;

  constructor(address: string, options: ClientOptions) {
    super((name, given, chosen) => this.send(name, given, chosen));
    this.address = address.replace(/\/+$/, "");
    this.options = options;
  }

  /** Every item of a list, page after page. */
  async *each<N extends ListName>(name: N, given: Arguments<N>, options?: CallOptions): AsyncGenerator<ItemOf<N>> {
    for (let cursor: string | null = null; ; ) {
      const more: object = cursor === null ? given : { ...given, cursor };
      const page = (await this.send(name, more as Arguments<N>, options)) as Page<ItemOf<N>>;
      yield* page.items;
      cursor = page.next;
      if (cursor === null) return;
    }
  }

  /** Changes as they happen, until `signal` ends it; a lost connection is made again, and nothing is missed. */
  async *events(options: { signal?: AbortSignal; lastEventId?: string } = {}): AsyncGenerator<MemoryEvent> {
    let last = options.lastEventId;
    while (!options.signal?.aborted) {
      const query = last === undefined ? "" : `?last_event_id=${encodeURIComponent(last)}`;
      const request: RequestInit = { method: "GET", headers: this.headers({ Accept: "text/event-stream" }) };
      if (options.signal) request.signal = options.signal;
      try {
        const answer = await this.request(`/v1/events${query}`, request);
        for await (const event of readEvents(answer)) {
          if (options.signal?.aborted) return;
          last = event.id || last;
          yield event;
        }
      } catch (problem) {
        if (options.signal?.aborted) return;
        if (problem instanceof ToldonceError && problem.status !== 0) throw problem;
      }
      await pause(RECONNECT_MS, options.signal);
    }
  }

  private async send<N extends OperationName>(
    name: N,
    given: Arguments<N>,
    options: CallOptions = {},
  ): Promise<Answer<N>> {
    const [method, template, sent] = ROUTES[name];
    const rest: { [key: string]: unknown } = { ...given };
    const path = template.replace(/\{(\w+)\}/g, (_, key: string) => {
      const value = String(rest[key]);
      delete rest[key];
      return writeSegment(value);
    });
    const headers = this.headers(options.headers);
    if (options.idempotencyKey !== undefined) headers["Idempotency-Key"] = options.idempotencyKey;
    const limit = AbortSignal.timeout(this.options.timeoutMs ?? TIMEOUT_MS);
    const signal = options.signal ? AbortSignal.any([options.signal, limit]) : limit;
    const request: RequestInit = { method, headers, signal };
    if (sent === "file") {
      request.body = rest.body as BodyInit;
    } else if (sent !== "") {
      request.body = JSON.stringify(sent === "body" ? rest.body : rest);
      headers["Content-Type"] = "application/json";
    }
    delete rest.body;
    const answer = await this.request(path + (sent === "arguments" ? "" : writeQuery(rest)), request);
    if (name === "export") return answer as Answer<N>;
    const value: unknown = await answer.json();
    return (isResult(value) ? value.result : value) as Answer<N>;
  }

  private headers(more: { [name: string]: string } = {}): { [name: string]: string } {
    return { Authorization: `Bearer ${this.options.key}`, ...more };
  }

  private async request(path: string, request: RequestInit): Promise<Response> {
    let answer: Response;
    try {
      answer = await (this.options.fetch ?? fetch)(this.address + path, request);
    } catch (problem) {
      if (request.signal?.aborted) throw problem;
      throw new ToldonceError("Unreachable", `${this.address} cannot be reached: ${describe(problem)}`);
    }
    if (!answer.ok) throw await readProblem(answer);
    return answer;
  }
}

function describe(problem: unknown): string {
  const cause = problem instanceof Error ? problem.cause : undefined;
  return String(cause instanceof Error ? cause.message : problem);
}

/** Most answers are what an operation returns; a bare number, text or list is in a table with one key. */
function isResult(value: unknown): value is { result: unknown } {
  return typeof value === "object" && value !== null && Object.keys(value).join() === "result";
}

/** A value as a part of a path, which cannot hold a slash, `.` or `..` as they are. */
function writeSegment(value: string): string {
  return value === "." || value === ".." ? "-" : encodeURIComponent(value.replaceAll("/", "%2F"));
}

function writeQuery(given: { [key: string]: unknown }): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(given)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null) {
        query.append(name, typeof one === "object" ? JSON.stringify(one) : String(one));
      }
    }
  }
  const text = query.toString();
  return text && `?${text}`;
}

async function readProblem(answer: Response): Promise<ToldonceError> {
  const text = await answer.text();
  try {
    const told = JSON.parse(text) as { [key: string]: unknown };
    const code = String(told.type).replace(/^urn:toldonce:/, "");
    return new ToldonceError(code, String(told.detail), answer.status, told);
  } catch {
    return new ToldonceError("Unknown", `the server answered ${answer.status}: check the address`, answer.status);
  }
}

async function* readEvents(answer: Response): AsyncGenerator<MemoryEvent> {
  if (answer.body === null) return;
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let held = "";
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const blocks = (held + value).split("\n\n");
      held = blocks.pop() ?? "";
      for (const block of blocks) {
        const fields = new Map(block.split("\n").map((line) => splitField(line)));
        const data = fields.get("data");
        if (data !== undefined) {
          yield { id: fields.get("id") ?? "", name: fields.get("event") ?? "message", data: JSON.parse(data) };
        }
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function splitField(line: string): [string, string] {
  const at = line.indexOf(":");
  return [line.slice(0, at), line.slice(at + 1).trimStart()];
}

async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true });
  });
}
