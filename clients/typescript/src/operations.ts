// Made by scripts/make_typescript_client.py from the server's OpenAPI description. Do not edit: run the script again.

/** One page of a list; `next` is the `cursor` of the page that follows, null on the last one. */
export interface Page<T> {
  items: T[];
  next: string | null;
}

/** What a file may be sent as. */
export type FileBody = string | Blob | ArrayBuffer | Uint8Array<ArrayBuffer>;

/** Choices for one call. */
export interface CallOptions {
  signal?: AbortSignal;
  /** More headers, such as `If-Match` with the version of a document. */
  headers?: { [name: string]: string };
  /** A write that is sent again with the same key is carried out once. */
  idempotencyKey?: string;
}

/** Who holds a key acts as `person`, or for everybody in its spaces when there is none. */
export interface AccessKey {
  id: string;
  name: string;
  person: string | null;
  spaces: string[] | null;
  rights: ("read" | "write" | "manage")[];
  role: "agent" | "consolidator" | "person";
  created_at: string;
  expires_at: string | null;
  revoked_at: string | null;
  last_used_at: string | null;
}

/** What came in one stretch of time: messages, what was learned, and what people changed. */
export interface Activity {
  since: string;
  messages: number;
  learned: number;
  changed: number;
}

/** An area of life: its name per language, its mark on a page, and its sub-areas with the attributes of each. */
export interface Area {
  label: { [key: string]: string };
  icon: string;
  colour: string;
  sub_areas: { [key: string]: string[] };
}

/** What a verification found: rows checked, rows from before the chain, the newest digest, and what is wrong. */
export interface AuditCheck {
  rows: number;
  unchained: number;
  head: string;
  problems: string[];
}

/** One line of the audit log: who did what, when, where, and through which interface. */
export interface AuditEntry {
  space: string;
  at: string;
  actor: string;
  interface: string;
  action: string;
  detail: { [key: string]: unknown };
}

/** A copy of the memory beside it: where, how large, and when it was made. */
export interface BackupFile {
  path: string;
  bytes: number;
  at: string;
}

/** One line of a prompt block: its cost, why it is there, what it shows, and its chance to help if it was found. */
export interface BlockLine {
  text: string;
  tokens: number;
  section: number | null;
  reasons: Reason[];
  record: string | null;
  sources: string[];
  question: string | null;
  chance: number | null;
}

/** One section of a prompt block: its heading, where its lines come from, its size and its limits; 0 is none. */
export interface BlockSection {
  heading: string;
  source: string;
  tokens: number;
  most_tokens: number;
  most_lines: number;
}

/** Which messages are taken in, as which kind, and within which limits. */
export interface CapturePolicy {
  kind: string;
  roles: string[];
  skip: string[];
  max_records_per_session: number;
  redact_secrets: boolean;
  junk_above: number;
}

/** One moment in a record's life, as `history` shows it. */
export interface Change {
  record: string;
  at: string;
  action: string;
  state: "active" | "doubted" | "proposed" | "superseded" | "expired" | "faded" | "flagged" | "forgotten";
  reason: string;
  by: string;
  other: string | null;
}

/** Who confirmed which record, and when; "" is somebody who was not named. */
export interface Confirmation {
  by: string;
  at: string;
  record: Record;
}

/** What a person agreed to, or no longer agrees to: when, by which means, and in which words. */
export interface Consent {
  user: string;
  purpose: string;
  is_given: boolean;
  at: string;
  means: string;
  wording: string;
}

/** A prompt block: its text, its size in tokens, the hits inside it, what was left out, and questions to ask. */
export interface Context {
  text: string;
  tokens: number;
  hits: Hit[];
  questions: Question[];
  dropped: ([string, string])[];
  budget: number;
  lines: BlockLine[];
  sections: BlockSection[];
  left_out: LeftOut[];
  reading: QuestionReading | null;
}

/** The prompt block: its budget, its frame and its sections in order of importance. */
export interface ContextPolicy {
  budget: number;
  sections: Section[];
  open: string;
  close: string;
  once_per_session: boolean;
}

/** Messages that belong together and wait to be settled, or were. */
export interface Conversation {
  id: string;
  space: string;
  key: string;
  user: string | null;
  session: string | null;
  channel: string | null;
  started_at: string;
  updated_at: string;
  messages: number;
  state?: "open" | "ended" | "settled";
  ended_by?: string;
  settled_at?: string | null;
}

/** What holds messages together, what ends a conversation, and how many turns stay in the prompt. */
export interface ConversationPolicy {
  key: "channel" | "session" | "user";
  ends: ("quiet" | "longest" | "session_switch" | "session_end" | "day")[];
  quiet: number;
  longest: number;
  window_turns: number;
  page: number;
}

/** A backup or an export that was written to a path of the caller's choice. */
export interface Copy {
  path: string;
  what: "backup" | "export";
  at: string;
}

/** What a finished conversation becomes. */
export interface DistilPolicy {
  steps: ("note" | "facts" | "statements" | "documents")[];
  note_kind: string;
  note_by: "writer" | "rules";
  topic_kind: string;
  insight_kind: string;
  reflection_kind: string;
  report_kind: string;
  kinds: { [key: string]: string };
  statements: { [key: string]: string };
  jaccard: number;
  demoted_to: number;
  when_model_fails: "rules" | "wait";
  seed_kind: string;
  cosine: number;
  overturns: string[];
  asks: string[];
  max_facts: number;
}

/** One current text per scope, versioned, with sources per entry: a profile, the compact user memory, a code map. */
export interface Document {
  name: string;
  owner: string;
  space: string;
  version: number;
  entries: DocumentEntry[];
  at: string;
  data: { [key: string]: unknown };
}

/** One line of a document with the records it came from, and the doubted ones that are shown under it. */
export interface DocumentEntry {
  section: string;
  text: string;
  sources: string[];
  at: string | null;
  doubted: Record[];
}

/** A document's sections in order, and which drafts or attributes go into each. */
export interface DocumentPolicy {
  sections: { [key: string]: string[] };
  topics: { [key: string]: string[] };
  per: "person" | "space";
  entries_per_section: number;
  limits: { [key: string]: number };
  passing: { [key: string]: number };
  tokens: number;
}

/** A named thing with its aliases and how often it was mentioned. */
export interface Entity {
  id: string;
  name: string;
  type: string;
  space: string;
  aliases: string[];
  mentions: number;
  records: Record[];
}

/** Entities, those with most mentions first, and which of them are mentioned together. */
export interface EntityGraph {
  entities: Entity[];
  links: EntityLink[];
}

/** Two entities, by their ids, and how many records mention both. */
export interface EntityLink {
  one: string;
  other: string;
  records: number;
}

/** The receipt of an erasure. */
export interface Erasure {
  removed: number;
  traces: { [key: string]: number };
  pending: string[];
  copies: Copy[];
  searched: number;
  files: number;
}

/** How many records are about one file of a space, how often they were shown, and the most shown of them. */
export interface FileCount {
  space: string;
  file: string;
  records: number;
  shown: number;
  example: Record;
}

/** A record that a person called wrong, and the records related to it by supersession, to be looked at. */
export interface Flagged {
  record: Record;
  review: Record[];
}

/** How long what is no longer valid stays restorable before it is purged; nothing said means for ever. */
export interface GracePolicy {
  forgotten: number | null;
  expired: number | null;
}

/** One line of a timeline: a record was added or changed; `other` is the record that replaced it. */
export interface Happening {
  at: string;
  action: string;
  record: Record;
  reason: string;
  by: string;
  other: Record | null;
}

/** A record, its changes, and the chain of records it replaced or was replaced by, oldest first; `related` are about */
export interface History {
  record: Record;
  changes: Change[];
  chain: Record[];
  related: Record[];
  models: string[];
  doubted: Record[];
}

/** A recalled record, how well it fits (0 to 1), and why; `doubted` are older ones that it probably ends. */
export interface Hit {
  record: Record;
  score: number;
  why: Why;
  doubted: Record[];
}

/** What an import brought: how many things were read, how many were new, and why others were left out. */
export interface Imported {
  what: string;
  read: number;
  kept: number | null;
  left_out: { [key: string]: number };
  kinds: { [key: string]: number };
  people: { [key: string]: number };
  first_at: string | null;
  last_at: string | null;
  secrets: number;
  problems: string[];
  is_preview: boolean;
}

/** Something to do at a time, once or by a schedule. */
export interface Job {
  space: string;
  key: string;
  name: string;
  due_at: string;
  args: { [key: string]: unknown };
  cron: string;
  zone: string;
  max_attempts: number;
  timeout: number;
  state: "ready" | "running" | "failed";
  again_at: string | null;
  attempts: number;
  lease: string | null;
  lease_until: string | null;
  last_run_at: string | null;
  last_error: string;
}

/** A note of a journal: the day that it is about, the journal it belongs to, and the ids of its entries. */
export interface JournalNote {
  name: string;
  on: string;
  folder: string;
  entries: string[];
}

/** What a note of a journal brought. */
export interface JournalWritten {
  name: string;
  on: string;
  new: string[];
  here: number;
  replaced: number;
  left_out: string[];
  is_preview: boolean;
}

/** The policy row of one kind of record. */
export interface Kind {
  prefix: string;
  name: string;
  aliases: string[];
  label: string;
  expiry: "never" | "after" | "end_of_day";
  lasts: number | null;
  fading: "nothing" | "rank" | "confidence";
  half_life: number | null;
  hide_below: number;
  conflict: "replace" | "demote" | "ask" | "coexist";
  tier: "always" | "task" | "demand" | "never";
  visibility: { [key: string]: "private" | "team" | "project" };
  confidence: { [key: string]: number };
  writers: ("person" | "agent" | "system")[];
  max_chars: number;
  embedded: boolean;
  weight: number;
  confirming_adds: number;
  outdated_when_stale: boolean;
  protected: boolean;
}

/** A record that was considered for a prompt block and is not in it: what it would cost, its chance, and why. */
export interface LeftOut {
  record: Record;
  tokens: number;
  reason: Reason;
  chance: number | null;
}

/** How many records are about files of one module of a code map. */
export interface ModuleCoverage {
  space: string;
  module: string;
  folder: string;
  records: number;
}

/** A key with its secret, which is shown once and cannot be read again. */
export interface NewKey {
  key: AccessKey;
  secret: string;
}

/** A webhook with the secret that signs its deliveries, which is shown once. */
export interface NewWebhook {
  webhook: Webhook;
  secret: string;
}

/** What models cost in a day or a month (UTC), and how many conversations they read in it. */
export interface PeriodCost {
  period: string;
  conversations: number;
  calls: number;
  input_tokens: number;
  output_tokens: number;
  cost: number;
  unpriced: number;
}

/** Someone who speaks or is remembered in a space. */
export interface Person {
  id: string;
  space: string;
  username: string;
  display_name: string;
  zone: string;
  language: string;
  blocked: boolean;
  seen_at: string | null;
}

/** One way to run the engine. */
export interface Preset {
  name: string;
  title: string;
  about: string;
  kinds: { [key: string]: Kind };
  capture: CapturePolicy;
  conversation: ConversationPolicy;
  recall: RecallPolicy;
  context: ContextPolicy;
  subjects: { [key: string]: Subject };
  distil: DistilPolicy;
  documents: { [key: string]: DocumentPolicy };
  areas: { [key: string]: Area };
  schedules: Schedule[];
  grace: GracePolicy;
  quota: Quota;
  tools: string[];
  tool_kinds: string[];
  default_kind: string;
  first_steps: string[];
}

/** A doubt to put to the person: two records that cannot both hold, or one that needs a yes. */
export interface Question {
  id: string;
  space: string;
  user: string | null;
  text: string;
  older: string;
  newer: string;
  created_at: string;
  answered_at: string | null;
  answer: string;
}

/** How a message was read: names that are known, times, attributes of people, topics, and what it asks for. */
export interface QuestionReading {
  names: string[];
  times: string[];
  attributes: string[];
  topics: string[];
  words: string[];
  asks: string[];
  language: string;
}

/** How much may be stored and how fast it may be written in a space; 0 is no limit.

Bytes are those of the texts. A person's limits also hold, together, for what has no owner. */
export interface Quota {
  records_per_person?: number;
  bytes_per_person?: number;
  records_per_space?: number;
  bytes_per_space?: number;
  writes_per_minute?: number;
}

/** Why a line is in a prompt block, or why a record is not: a code with its values, for any language. */
export interface Reason {
  code: string;
  values: { [key: string]: unknown };
}

/** Which signals search, what each weighs, and how the final score is made of parts that add up to one. */
export interface RecallPolicy {
  signals: { [key: string]: number };
  ranker: "evidence" | "reciprocal";
  rrf_k: number;
  score: { [key: string]: number };
  diversity: number;
  limit: number;
  min_score: number;
  min_share: number;
  candidates: number;
  frequent_at: number;
}

/** One remembered thing: a message, or derived from messages; `superseded_by` ended it, or probably did. */
export interface Record {
  id: string;
  kind: string;
  text: string;
  at: string;
  created_at: string;
  space: string;
  tenant: string;
  user: string | null;
  session: string | null;
  channel: string | null;
  branch: string | null;
  visibility: "private" | "team" | "project";
  role: string;
  author: string;
  title: string;
  summary: string;
  subject: string | null;
  state: "active" | "doubted" | "proposed" | "superseded" | "expired" | "faded" | "flagged" | "forgotten";
  state_reason: string;
  state_at: string | null;
  superseded_by: string | null;
  confidence: number;
  validated: boolean;
  pinned: boolean;
  origin: "conversation" | "user_input" | "ai_inference" | "import" | "journal";
  made_by: string;
  trust: "external" | "tool" | "agent" | "person";
  conversation: string | null;
  expires_at: string | null;
  accessed_at: string | null;
  access_count: number;
  faded_at: string | null;
  tags: string[];
  metadata: { [key: string]: unknown };
  sources: string[];
  notices: string[];
}

/** How many records there are of one kind, state and area ("" is none), their newest moment, how many validated. */
export interface RecordCount {
  kind: string;
  state: "active" | "doubted" | "proposed" | "superseded" | "expired" | "faded" | "flagged" | "forgotten";
  area: string;
  count: number;
  newest: string;
  validated: number;
}

/** A Markdown text for people about a period, with the records it covers; `record` is the stored one, if any. */
export interface Report {
  about: string;
  title: string;
  text: string;
  since: string;
  until: string;
  sources: string[];
  made_by: string;
  record: Record | null;
}

/** What one run of a job did; `detail["output"]` is what a model literally said, which purging takes away. */
export interface Run {
  space: string;
  key: string;
  name: string;
  started_at: string;
  ended_at: string;
  status: "completed" | "partial" | "skipped" | "failed";
  counts: { [key: string]: unknown };
  error: string;
  detail: { [key: string]: unknown };
}

/** A job that comes back by the clock, for the whole space or for each person in their own zone. */
export interface Schedule {
  job: string;
  cron: string;
  per: "space" | "person";
  catch_up: boolean;
  timeout: number;
  retries: number;
  at_exit: boolean;
}

/** How many items one key sealed with vectors of one model; `own` are those of the person who asks. */
export interface SealedCount {
  seal: string;
  own: boolean;
  items: number;
  bytes: number;
  newest: string;
  model: string;
}

/** A sealed item that was found, without its vector, and the cosine. */
export interface SealedHit {
  item: SealedItem;
  score: number;
}

/** A vector to search by, and a box that only the client's key opens; both base64.

The vector is float16, little-endian, of unit length. `seal` tells which key opens the box without telling the key. */
export interface SealedItem {
  id: string;
  seal: string;
  model: string;
  box: string;
  vector?: string;
  at?: string | null;
  user?: string | null;
  visibility?: "private" | "team" | "project";
}

/** One part of the prompt block: where its lines come from and how each is written. */
export interface Section {
  source: "search" | "always" | "newest" | "window" | "profiles" | "document" | "questions";
  line: string;
  open: string;
  close: string;
  heading: string;
  kinds: string[];
  document: string;
  limit: number;
  tokens: number;
  mentioned: number;
  participants: number;
  exclude_session: boolean;
  max_days: number;
}

/** What a conversation became: new records by outcome, how many documents changed, and which writer did it. */
export interface Settled {
  conversation: string;
  kept: Record[];
  outcomes: string[];
  documents: number;
  made_by: string;
  problem: string;
  left_out: number;
  repeated: string[];
}

/** One way in which a record was found: which signal, at which rank, and what matched. */
export interface Signal {
  name: string;
  rank: number;
  weight: number;
  detail: string;
}

/** Where memory lives: a chat server, a project, a robot, one person's assistant. */
export interface Space {
  name: string;
  preset: string;
  zone: string;
  enabled: boolean;
  preset_text: string | null;
  created_at: string | null;
  deleted_at: string | null;
}

/** Something to remember, as the caller gave it. Without an `author` it is whoever asks: in the library an agent. */
export interface Statement {
  text: string;
  kind: string;
  user?: string | null;
  author?: "person" | "agent" | "system" | null;
  made_by?: string;
  origin?: "conversation" | "user_input" | "ai_inference" | "import" | "journal" | null;
  sources?: string[];
  session?: string | null;
  channel?: string | null;
  branch?: string | null;
  visibility?: "private" | "team" | "project" | null;
  subject?: string | null;
  title?: string;
  summary?: string;
  confidence?: number | null;
  proposed?: boolean;
  pinned?: boolean;
  tags?: string[];
  at?: string | null;
  metadata?: { [key: string]: unknown } | null;
  file?: string;
}

/** The policy row of one attribute of a person: what a second, different value does, and the words that name it. */
export interface Subject {
  rule: "replace" | "series" | "goal" | "set" | "opposite" | null;
  words: { [key: string]: string[] };
  protected: boolean;
}

/** Figures about what is known in several spaces. `records` were looked at; the lists are cut at the limit. */
export interface TeamFigures {
  spaces: string[];
  records: number;
  by_file: FileCount[];
  by_use: Record[];
  confirmed: Confirmation[];
  confirmed_by: { [key: string]: number };
  modules: ModuleCoverage[];
  modules_known: number;
}

/** How much one tenant may store in all spaces together, how fast, and what models may cost a day; 0 is no limit.

Bytes are those of the texts; the cost is in the currency of the prices in the settings. */
export interface TenantQuota {
  records?: number;
  bytes?: number;
  writes_per_minute?: number;
  model_cost_per_day?: number;
}

/** What one task asked of one model in a space. */
export interface Usage {
  space: string;
  task: string;
  model: string;
  calls: number;
  refused: number;
  input_tokens: number;
  output_tokens: number;
  cost: number;
  unpriced: number;
}

/** An address that is sent events. `private` allows addresses of this machine and of its own network. */
export interface Webhook {
  id: string;
  url: string;
  events: string[];
  with_text: boolean;
  private: boolean;
  created_at: string;
  delivered: number;
  dropped: number;
  delivered_at: string | null;
  ended_at: string | null;
  last_error: string;
}

/** Why a hit was recalled: the signals that found it and the parts of its score. */
export interface Why {
  signals: Signal[];
  parts: { [key: string]: number };
}

/** Why a record was not recalled for a question, in words, with the stage that left it out. */
export interface WhyNot {
  found: boolean;
  stage: string;
  reason: string;
}

/** The arguments and the answer of every operation. */
export interface Operations {
  "answer": { arguments: { question_id: string; text: string; user?: string | null }; answer: Record };
  "audit.entries": { arguments: { actor?: string | null; action?: string | null; since?: string | null; limit?: number; space?: string | null; cursor?: string | null }; answer: Page<AuditEntry> };
  "audit.expire": { arguments: { now: string }; answer: number };
  "audit.keep_days": { arguments: { days: number | null }; answer: null };
  "audit.record_key_change": { arguments: { action: string }; answer: number };
  "audit.verify": { arguments: { head?: string | null }; answer: AuditCheck };
  "confirm": { arguments: { record_id: string; confirmed?: boolean; user?: string | null }; answer: Record };
  "context": { arguments: { query: string; user?: string | null; session?: string | null; channel?: string | null; budget?: number | null; as_of?: string | null; branches?: string[] | null; space?: string | null; viewer?: string | null; explain?: boolean; counted?: boolean }; answer: Context };
  "correct": { arguments: { record_id: string; text: string; user?: string | null }; answer: Record };
  "documents.all": { arguments: { prefix?: string; owner?: string | null; user?: string | null; space?: string | null; limit?: number; cursor?: string | null }; answer: Page<Document> };
  "documents.change": { arguments: { name: string; owner?: string; space?: string | null; body: { [key: string]: unknown } }; answer: Document };
  "documents.forget_line": { arguments: { user: string; text?: string | null; reader?: string | null; space?: string | null }; answer: Document };
  "documents.get": { arguments: { name: string; owner?: string; user?: string | null; space?: string | null }; answer: Document };
  "documents.remove": { arguments: { name: string; owner?: string; space?: string | null }; answer: boolean };
  "entity": { arguments: { name: string; user?: string | null; limit?: number; space?: string | null }; answer: Entity };
  "erase": { arguments: { user: string; space?: string | null }; answer: Erasure };
  "export": { arguments: { user?: string | null; space?: string | null; format?: string | null }; answer: Response };
  "flag": { arguments: { record_id: string; reason?: string; user?: string | null }; answer: Flagged };
  "forget": { arguments: { record_id: string; reason?: string; user?: string | null }; answer: Record };
  "get": { arguments: { record_id: string; user?: string | null }; answer: Record };
  "history": { arguments: { record_id: string; user?: string | null }; answer: History };
  "import_": { arguments: { user?: string | null; space?: string | null; trusted?: boolean; format?: string | null; me?: string | null; columns?: { [key: string]: unknown } | null; preview?: boolean; body: FileBody }; answer: Imported };
  "jobs.all": { arguments: { limit?: number; cursor?: string | null }; answer: Page<Job> };
  "jobs.costs": { arguments: { by?: "month" | "day"; space?: string | null; since?: string | null; limit?: number; cursor?: string | null }; answer: Page<PeriodCost> };
  "jobs.reembed": { arguments: {  }; answer: number };
  "jobs.refused_vectors": { arguments: { limit?: number; cursor?: string | null }; answer: Page<string> };
  "jobs.runs": { arguments: { name?: string | null; limit?: number; cursor?: string | null }; answer: Page<Run> };
  "jobs.usage": { arguments: { space?: string | null; since?: string | null; limit?: number; cursor?: string | null }; answer: Page<Usage> };
  "journals.forget": { arguments: { name: string; user?: string | null; folder?: string; space?: string | null }; answer: number };
  "journals.notes": { arguments: { user?: string | null; folder?: string | null; space?: string | null; limit?: number; cursor?: string | null }; answer: Page<JournalNote> };
  "journals.write": { arguments: { text: string; user?: string | null; on?: string | null; name?: string | null; folder?: string; preview?: boolean; space?: string | null }; answer: JournalWritten };
  "keys.add": { arguments: { name: string; user?: string | null; spaces?: string[] | null; rights?: ("read" | "write" | "manage")[]; role?: "agent" | "consolidator" | "person"; expires_at?: string | null }; answer: NewKey };
  "keys.all": { arguments: { limit?: number; cursor?: string | null }; answer: Page<AccessKey> };
  "keys.revoke": { arguments: { key_id: string }; answer: AccessKey };
  "keys.rotate": { arguments: { key_id: string; grace_hours?: number }; answer: NewKey };
  "observe": { arguments: { text: string; user?: string | null; session?: string | null; role?: string; at?: string | null; channel?: string | null; space?: string | null; branch?: string | null; username?: string; display_name?: string; metadata?: { [key: string]: unknown } | null; idempotency_key?: string | null }; answer: Record | { skipped: string; } };
  "observe_many": { arguments: { messages: ({ [key: string]: unknown })[]; space?: string | null }; answer: (Record | { skipped: string; })[] };
  "people.add_member": { arguments: { user: string; role?: string; by?: string | null; space?: string | null }; answer: null };
  "people.all": { arguments: { space?: string | null; limit?: number; cursor?: string | null }; answer: Page<Person> };
  "people.block": { arguments: { user: string; blocked?: boolean; space?: string | null }; answer: null };
  "people.consents": { arguments: { user: string; space?: string | null; limit?: number; cursor?: string | null }; answer: Page<Consent> };
  "people.is_kept_out": { arguments: { user?: string | null; space?: string | null }; answer: boolean };
  "people.members": { arguments: { space?: string | null }; answer: { [key: string]: string } };
  "people.remove_member": { arguments: { user: string; by?: string | null; space?: string | null }; answer: null };
  "people.set_consent": { arguments: { user: string; is_given: boolean; purpose?: string; means?: string; wording?: string; space?: string | null }; answer: Consent };
  "people.update": { arguments: { user: string; display_name?: string; username?: string; zone?: string; language?: string; space?: string | null }; answer: Person };
  "pin": { arguments: { record_id: string; pinned?: boolean; user?: string | null }; answer: Record };
  "profile": { arguments: { user: string; reader?: string | null; as_of?: string | null; space?: string | null }; answer: Document };
  "purge": { arguments: { record_id: string; user?: string | null }; answer: number };
  "questions": { arguments: { user?: string | null; space?: string | null; limit?: number; cursor?: string | null }; answer: Page<Question> };
  "recall": { arguments: { query: string; user?: string | null; limit?: number | null; kinds?: string[] | null; session?: string | null; exclude_session?: string | null; channel?: string | null; since?: string | null; until?: string | null; as_of?: string | null; where?: { [key: string]: unknown } | null; min_score?: number | null; branches?: string[] | null; space?: string | null; explain?: boolean; counted?: boolean }; answer: { hits: Hit[]; left_out: { [key: string]: string }; waiting: number; } };
  "remember": { arguments: { text: string; kind?: string | null; user?: string | null; source?: string | string[] | null; author?: "person" | "agent" | "system"; made_by?: string; origin?: "conversation" | "user_input" | "ai_inference" | "import" | "journal" | null; session?: string | null; channel?: string | null; branch?: string | null; space?: string | null; visibility?: "private" | "team" | "project" | null; subject?: string | null; title?: string; summary?: string; confidence?: number | null; proposed?: boolean; pinned?: boolean; tags?: string[]; at?: string | null; metadata?: { [key: string]: unknown } | null }; answer: Record };
  "report": { arguments: { about: string; user?: string | null; since?: string | null; until?: string | null; keep?: boolean; space?: string | null }; answer: Report };
  "restore": { arguments: { record_id: string; user?: string | null }; answer: Record };
  "review.activity": { arguments: { user?: string | null; weeks?: number; space?: string | null }; answer: Activity[] };
  "review.count": { arguments: { user?: string | null; kinds?: string[] | null; where?: { [key: string]: unknown } | null; session?: string | null; states?: ("active" | "doubted" | "proposed" | "superseded" | "expired" | "faded" | "flagged" | "forgotten")[] | null; origins?: ("conversation" | "user_input" | "ai_inference" | "import" | "journal")[] | null; visibility?: "private" | "team" | "project" | null; min_confidence?: number | null; max_confidence?: number | null; since?: string | null; until?: string | null; pinned?: boolean | null; validated?: boolean | null; derived?: boolean; space?: string | null }; answer: RecordCount[] };
  "review.entities": { arguments: { user?: string | null; limit?: number; space?: string | null }; answer: EntityGraph };
  "review.propose": { arguments: { statements: Statement[]; space?: string | null }; answer: Record[] };
  "review.records": { arguments: { user?: string | null; kinds?: string[] | null; where?: { [key: string]: unknown } | null; session?: string | null; states?: ("active" | "doubted" | "proposed" | "superseded" | "expired" | "faded" | "flagged" | "forgotten")[] | null; origins?: ("conversation" | "user_input" | "ai_inference" | "import" | "journal")[] | null; visibility?: "private" | "team" | "project" | null; min_confidence?: number | null; max_confidence?: number | null; since?: string | null; until?: string | null; pinned?: boolean | null; validated?: boolean | null; derived?: boolean; limit?: number; space?: string | null; cursor?: string | null }; answer: Page<Record> };
  "review.share": { arguments: { record_id: string; visibility: "private" | "team" | "project"; user?: string | null }; answer: Record };
  "review.supersede": { arguments: { older_id: string; newer_id: string; reason?: string; user?: string | null }; answer: Record };
  "review.waiting": { arguments: { user?: string | null; space?: string | null; limit?: number; cursor?: string | null }; answer: Page<Record> };
  "sealed.all": { arguments: { user?: string | null; space?: string | null; limit?: number; cursor?: string | null }; answer: Page<SealedItem> };
  "sealed.count": { arguments: { user?: string | null; space?: string | null }; answer: SealedCount[] };
  "sealed.delete": { arguments: { item_id: string; user?: string | null; space?: string | null }; answer: boolean };
  "sealed.get": { arguments: { item_id: string; user?: string | null; space?: string | null }; answer: SealedItem | null };
  "sealed.put": { arguments: { items: SealedItem[]; space?: string | null }; answer: number };
  "sealed.search": { arguments: { vector: string; model: string; seals: string[]; user?: string | null; space?: string | null; limit?: number; since?: string | null; until?: string | null }; answer: SealedHit[] };
  "sessions.around": { arguments: { record_id: string; reach?: number; user?: string | null }; answer: Record[] };
  "sessions.mark_settled": { arguments: { session: string; space?: string | null }; answer: number };
  "sessions.mark_shown": { arguments: { session: string; ids: string[]; user?: string | null; space?: string | null }; answer: null };
  "sessions.settle_each": { arguments: { conversations: Conversation[]; reader: string | null; now: string }; answer: Settled[] };
  "sessions.settle_one": { arguments: { conversation: Conversation; now: string; last_try?: boolean }; answer: Settled | null };
  "sessions.shown": { arguments: { session: string; user?: string | null; space?: string | null }; answer: string[] };
  "sessions.unsettled": { arguments: { session?: string | null; user?: string | null; space?: string | null; limit?: number; cursor?: string | null }; answer: Page<Conversation> };
  "sessions.window": { arguments: { session: string; turns?: number | null; user?: string | null; space?: string | null; limit?: number; cursor?: string | null }; answer: Page<Record> };
  "settle": { arguments: { session?: string | null; channel?: string | null; user?: string | null; space?: string | null }; answer: Settled[] };
  "spaces.add": { arguments: { name: string; preset?: string | null; zone?: string }; answer: Space };
  "spaces.all": { arguments: { limit?: number; cursor?: string | null }; answer: Page<Space> };
  "spaces.delete": { arguments: { space: string }; answer: Space };
  "spaces.preset": { arguments: { space?: string | null }; answer: Preset };
  "spaces.quota": { arguments: { space?: string | null }; answer: Quota };
  "spaces.restore": { arguments: { space: string }; answer: Space };
  "spaces.set_quota": { arguments: { quota: Quota; space?: string | null }; answer: Quota };
  "spaces.set_tenant_quota": { arguments: { quota: TenantQuota }; answer: TenantQuota };
  "spaces.switch": { arguments: { on: boolean; space?: string | null }; answer: Space };
  "spaces.tenant_quota": { arguments: {  }; answer: TenantQuota };
  "spaces.why_off": { arguments: { space?: string | null }; answer: string };
  "stats": { arguments: { user?: string | null; space?: string | null }; answer: { [key: string]: unknown } };
  "storage.backup": { arguments: { replace_since?: string | null }; answer: string };
  "storage.backups": { arguments: {  }; answer: BackupFile[] };
  "storage.check": { arguments: { repair?: boolean }; answer: string[] };
  "team.figures": { arguments: { user?: string | null; spaces?: string[] | null; kinds?: string[] | null; limit?: number }; answer: TeamFigures };
  "team.search": { arguments: { query: string; user?: string | null; spaces?: string[] | null; kinds?: string[] | null; limit?: number }; answer: { hits: Hit[]; left_out: { [key: string]: string }; waiting: number; } };
  "tend": { arguments: { now?: string | null }; answer: Run[] };
  "timeline": { arguments: { user?: string | null; since?: string | null; until?: string | null; kinds?: string[] | null; limit?: number; space?: string | null; cursor?: string | null }; answer: Page<Happening> };
  "tools.call": { arguments: { name: string; user?: string | null; space?: string | null; session?: string | null; body: { [key: string]: unknown } }; answer: unknown };
  "tools.list": { arguments: { user?: string | null; space?: string | null }; answer: unknown };
  "webhooks.add": { arguments: { url: string; events?: string[]; with_text?: boolean; private?: boolean; secret?: string | null }; answer: NewWebhook };
  "webhooks.all": { arguments: { limit?: number; cursor?: string | null }; answer: Page<Webhook> };
  "webhooks.remove": { arguments: { webhook_id: string }; answer: Webhook };
  "webhooks.test": { arguments: { webhook_id: string }; answer: Webhook };
  "whoami": { arguments: {  }; answer: unknown };
  "why_not": { arguments: { record_id: string; query: string; user?: string | null; limit?: number | null; kinds?: string[] | null; session?: string | null; exclude_session?: string | null; min_score?: number | null; as_of?: string | null; where?: { [key: string]: unknown } | null; space?: string | null }; answer: WhyNot };
}

export type OperationName = keyof Operations;
export type Arguments<N extends OperationName> = Operations[N]["arguments"];
export type Answer<N extends OperationName> = Operations[N]["answer"];

/** Sends one operation. */
export type Call = <N extends OperationName>(
  name: N,
  given: Arguments<N>,
  options?: CallOptions,
) => Promise<Answer<N>>;

/** Method, path, and what is sent as body: the arguments, one of them called `body`, or nothing. */
export const ROUTES: {
  [N in OperationName]: readonly [string, string, "arguments" | "body" | "file" | ""];
} = {
  "answer": ["POST", "/v1/questions/{question_id}/answer", "arguments"],
  "audit.entries": ["GET", "/v1/audit", ""],
  "audit.expire": ["POST", "/v1/audit/expire", "arguments"],
  "audit.keep_days": ["PUT", "/v1/audit/keep-days", "arguments"],
  "audit.record_key_change": ["POST", "/v1/audit/key-change", "arguments"],
  "audit.verify": ["GET", "/v1/audit/verify", ""],
  "confirm": ["POST", "/v1/records/{record_id}/confirm", "arguments"],
  "context": ["POST", "/v1/context", "arguments"],
  "correct": ["POST", "/v1/records/{record_id}/correct", "arguments"],
  "documents.all": ["GET", "/v1/documents", ""],
  "documents.change": ["PUT", "/v1/documents/{name}", "body"],
  "documents.forget_line": ["POST", "/v1/profile/forget-line", "arguments"],
  "documents.get": ["GET", "/v1/documents/{name}", ""],
  "documents.remove": ["DELETE", "/v1/documents/{name}", ""],
  "entity": ["GET", "/v1/entity", ""],
  "erase": ["POST", "/v1/people/erase", "arguments"],
  "export": ["GET", "/v1/export", ""],
  "flag": ["POST", "/v1/records/{record_id}/flag", "arguments"],
  "forget": ["POST", "/v1/records/{record_id}/forget", "arguments"],
  "get": ["GET", "/v1/records/{record_id}", ""],
  "history": ["GET", "/v1/records/{record_id}/history", ""],
  "import_": ["POST", "/v1/import", "file"],
  "jobs.all": ["GET", "/v1/jobs", ""],
  "jobs.costs": ["GET", "/v1/jobs/costs", ""],
  "jobs.reembed": ["POST", "/v1/jobs/reembed", ""],
  "jobs.refused_vectors": ["GET", "/v1/jobs/refused-vectors", ""],
  "jobs.runs": ["GET", "/v1/jobs/runs", ""],
  "jobs.usage": ["GET", "/v1/jobs/usage", ""],
  "journals.forget": ["POST", "/v1/journal/forget", "arguments"],
  "journals.notes": ["GET", "/v1/journal", ""],
  "journals.write": ["POST", "/v1/journal", "arguments"],
  "keys.add": ["POST", "/v1/keys", "arguments"],
  "keys.all": ["GET", "/v1/keys", ""],
  "keys.revoke": ["POST", "/v1/keys/{key_id}/revoke", ""],
  "keys.rotate": ["POST", "/v1/keys/{key_id}/rotate", "arguments"],
  "observe": ["POST", "/v1/messages", "arguments"],
  "observe_many": ["POST", "/v1/messages/batch", "arguments"],
  "people.add_member": ["PUT", "/v1/people/members", "arguments"],
  "people.all": ["GET", "/v1/people", ""],
  "people.block": ["POST", "/v1/people/block", "arguments"],
  "people.consents": ["GET", "/v1/people/consents", ""],
  "people.is_kept_out": ["GET", "/v1/people/kept-out", ""],
  "people.members": ["GET", "/v1/people/members", ""],
  "people.remove_member": ["POST", "/v1/people/members/remove", "arguments"],
  "people.set_consent": ["POST", "/v1/people/consents", "arguments"],
  "people.update": ["PATCH", "/v1/people", "arguments"],
  "pin": ["POST", "/v1/records/{record_id}/pin", "arguments"],
  "profile": ["GET", "/v1/profile", ""],
  "purge": ["DELETE", "/v1/records/{record_id}", ""],
  "questions": ["GET", "/v1/questions", ""],
  "recall": ["POST", "/v1/recall", "arguments"],
  "remember": ["POST", "/v1/records", "arguments"],
  "report": ["POST", "/v1/reports", "arguments"],
  "restore": ["POST", "/v1/records/{record_id}/restore", "arguments"],
  "review.activity": ["GET", "/v1/records/activity", ""],
  "review.count": ["GET", "/v1/records/counts", ""],
  "review.entities": ["GET", "/v1/entities", ""],
  "review.propose": ["POST", "/v1/proposals", "arguments"],
  "review.records": ["GET", "/v1/records", ""],
  "review.share": ["POST", "/v1/records/{record_id}/share", "arguments"],
  "review.supersede": ["POST", "/v1/records/{older_id}/supersede", "arguments"],
  "review.waiting": ["GET", "/v1/proposals", ""],
  "sealed.all": ["GET", "/v1/sealed", ""],
  "sealed.count": ["GET", "/v1/sealed/count", ""],
  "sealed.delete": ["DELETE", "/v1/sealed/{item_id}", ""],
  "sealed.get": ["GET", "/v1/sealed/{item_id}", ""],
  "sealed.put": ["POST", "/v1/sealed", "arguments"],
  "sealed.search": ["POST", "/v1/sealed/search", "arguments"],
  "sessions.around": ["GET", "/v1/records/{record_id}/around", ""],
  "sessions.mark_settled": ["POST", "/v1/sessions/mark-settled", "arguments"],
  "sessions.mark_shown": ["POST", "/v1/sessions/shown", "arguments"],
  "sessions.settle_each": ["POST", "/v1/conversations/settle", "arguments"],
  "sessions.settle_one": ["POST", "/v1/conversations/settle-one", "arguments"],
  "sessions.shown": ["GET", "/v1/sessions/shown", ""],
  "sessions.unsettled": ["GET", "/v1/conversations", ""],
  "sessions.window": ["GET", "/v1/sessions/window", ""],
  "settle": ["POST", "/v1/settle", "arguments"],
  "spaces.add": ["POST", "/v1/spaces", "arguments"],
  "spaces.all": ["GET", "/v1/spaces", ""],
  "spaces.delete": ["POST", "/v1/spaces/delete", "arguments"],
  "spaces.preset": ["GET", "/v1/spaces/preset", ""],
  "spaces.quota": ["GET", "/v1/spaces/quota", ""],
  "spaces.restore": ["POST", "/v1/spaces/restore", "arguments"],
  "spaces.set_quota": ["PUT", "/v1/spaces/quota", "arguments"],
  "spaces.set_tenant_quota": ["PUT", "/v1/tenant/quota", "arguments"],
  "spaces.switch": ["POST", "/v1/spaces/switch", "arguments"],
  "spaces.tenant_quota": ["GET", "/v1/tenant/quota", ""],
  "spaces.why_off": ["GET", "/v1/spaces/why-off", ""],
  "stats": ["GET", "/v1/stats", ""],
  "storage.backup": ["POST", "/v1/storage/backup", "arguments"],
  "storage.backups": ["GET", "/v1/storage/backups", ""],
  "storage.check": ["POST", "/v1/storage/check", "arguments"],
  "team.figures": ["POST", "/v1/team/figures", "arguments"],
  "team.search": ["POST", "/v1/team/search", "arguments"],
  "tend": ["POST", "/v1/jobs/tend", "arguments"],
  "timeline": ["GET", "/v1/timeline", ""],
  "tools.call": ["POST", "/v1/tools/{name}", "body"],
  "tools.list": ["GET", "/v1/tools", ""],
  "webhooks.add": ["POST", "/v1/webhooks", "arguments"],
  "webhooks.all": ["GET", "/v1/webhooks", ""],
  "webhooks.remove": ["DELETE", "/v1/webhooks/{webhook_id}", ""],
  "webhooks.test": ["POST", "/v1/webhooks/{webhook_id}/test", ""],
  "whoami": ["GET", "/v1/whoami", ""],
  "why_not": ["POST", "/v1/records/{record_id}/why-not", "arguments"],
};

export class Audit {
  private readonly carryOut: Call;

  constructor(call: Call) {
    this.carryOut = call;
  }

  /** Who did what, when and through which interface, newest first. */
  entries(given: Arguments<"audit.entries"> = {}, options?: CallOptions) {
    return this.carryOut("audit.entries", given, options);
  }

  /** Remove the entries that are older than they are kept; returns how many. */
  expire(given: Arguments<"audit.expire">, options?: CallOptions) {
    return this.carryOut("audit.expire", given, options);
  }

  /** Set for how many days entries are kept; None keeps them for ever, which is the default. */
  keepDays(given: Arguments<"audit.keep_days">, options?: CallOptions) {
    return this.carryOut("audit.keep_days", given, options);
  }

  /** Note that this memory was encrypted, decrypted or re-keyed, and replace its rolling copies; how many. */
  recordKeyChange(given: Arguments<"audit.record_key_change">, options?: CallOptions) {
    return this.carryOut("audit.record_key_change", given, options);
  }

  /** Check the hash chain of the audit log; `head` is a digest noted earlier that must still be in it. */
  verify(given: Arguments<"audit.verify"> = {}, options?: CallOptions) {
    return this.carryOut("audit.verify", given, options);
  }
}

export class Documents {
  private readonly carryOut: Call;

  constructor(call: Call) {
    this.carryOut = call;
  }

  /** The current versions of documents whose names begin with `prefix`, sorted by owner and name. */
  all(given: Arguments<"documents.all"> = {}, options?: CallOptions) {
    return this.carryOut("documents.all", given, options);
  }

  /** What `change` makes of a document, stored in the same transaction; None when there was nothing to change. */
  change(given: Arguments<"documents.change">, options?: CallOptions) {
    return this.carryOut("documents.change", given, options);
  }

  /** Remove one line from a person's profile, or all of them; earlier versions keep what it said. */
  forgetLine(given: Arguments<"documents.forget_line">, options?: CallOptions) {
    return this.carryOut("documents.forget_line", given, options);
  }

  /** The current version of a document of the space, or of a person in it; None when there is none. */
  get(given: Arguments<"documents.get">, options?: CallOptions) {
    return this.carryOut("documents.get", given, options);
  }

  /** Remove a document of the space or of a person with all its versions; False when there was none. */
  remove(given: Arguments<"documents.remove">, options?: CallOptions) {
    return this.carryOut("documents.remove", given, options);
  }
}

export class Jobs {
  private readonly carryOut: Call;

  constructor(call: Call) {
    this.carryOut = call;
  }

  /** What is planned, the next first. */
  all(given: Arguments<"jobs.all"> = {}, options?: CallOptions) {
    return this.carryOut("jobs.all", given, options);
  }

  /** What language models cost in each month or day (UTC), oldest first, and in how many conversations. */
  costs(given: Arguments<"jobs.costs"> = {}, options?: CallOptions) {
    return this.carryOut("jobs.costs", given, options);
  }

  /** Plan a new vector for every record by the present embedder, which then replaces all other models. */
  reembed(given: Arguments<"jobs.reembed"> = {}, options?: CallOptions) {
    return this.carryOut("jobs.reembed", given, options);
  }

  /** The ids of the records that the embedder refused, newest first; words, names and times still find them. */
  refusedVectors(given: Arguments<"jobs.refused_vectors"> = {}, options?: CallOptions) {
    return this.carryOut("jobs.refused_vectors", given, options);
  }

  /** What was done in the background, newest first. */
  runs(given: Arguments<"jobs.runs"> = {}, options?: CallOptions) {
    return this.carryOut("jobs.runs", given, options);
  }

  /** Calls, tokens and cost of language models by space, task and model, from that day on. */
  usage(given: Arguments<"jobs.usage"> = {}, options?: CallOptions) {
    return this.carryOut("jobs.usage", given, options);
  }
}

export class Journals {
  private readonly carryOut: Call;

  constructor(call: Call) {
    this.carryOut = call;
  }

  /** Forget a note with what was drawn from it alone; returns how many records were forgotten. */
  forget(given: Arguments<"journals.forget">, options?: CallOptions) {
    return this.carryOut("journals.forget", given, options);
  }

  /** The notes of a person's journal, newest first; with `folder`, those of one journal. */
  notes(given: Arguments<"journals.notes"> = {}, options?: CallOptions) {
    return this.carryOut("journals.notes", given, options);
  }

  /** Keep a note of a person's journal; knowledge is drawn from it as from a conversation of that day. */
  write(given: Arguments<"journals.write">, options?: CallOptions) {
    return this.carryOut("journals.write", given, options);
  }
}

export class Keys {
  private readonly carryOut: Call;

  constructor(call: Call) {
    this.carryOut = call;
  }

  /** Create a key that acts for `user` or, without one, for everybody, in these spaces or in all. */
  add(given: Arguments<"keys.add">, options?: CallOptions) {
    return this.carryOut("keys.add", given, options);
  }

  /** All keys, oldest first, those that were revoked or expired among them; never a secret. */
  all(given: Arguments<"keys.all"> = {}, options?: CallOptions) {
    return this.carryOut("keys.all", given, options);
  }

  /** End a key at once. */
  revoke(given: Arguments<"keys.revoke">, options?: CallOptions) {
    return this.carryOut("keys.revoke", given, options);
  }

  /** Give a key a new secret; the previous one holds for some hours more, none by default. */
  rotate(given: Arguments<"keys.rotate">, options?: CallOptions) {
    return this.carryOut("keys.rotate", given, options);
  }
}

export class People {
  private readonly carryOut: Call;

  constructor(call: Call) {
    this.carryOut = call;
  }

  /** Give a person a role in a space, in place of the one they have. */
  addMember(given: Arguments<"people.add_member">, options?: CallOptions) {
    return this.carryOut("people.add_member", given, options);
  }

  /** Everyone seen in a space. */
  all(given: Arguments<"people.all"> = {}, options?: CallOptions) {
    return this.carryOut("people.all", given, options);
  }

  /** Keep a person out of memory, for capture and recall alike; `blocked=False` lets them in again. */
  block(given: Arguments<"people.block">, options?: CallOptions) {
    return this.carryOut("people.block", given, options);
  }

  /** What a person agreed to or withdrew, newest first. */
  consents(given: Arguments<"people.consents">, options?: CallOptions) {
    return this.carryOut("people.consents", given, options);
  }

  /** Whether nothing may be stored or shown now: memory is switched off here, or this person is blocked. */
  isKeptOut(given: Arguments<"people.is_kept_out"> = {}, options?: CallOptions) {
    return this.carryOut("people.is_kept_out", given, options);
  }

  /** The roles of a space by person: owner, admin or member. Members see what is kept with `visibility="team"`. */
  members(given: Arguments<"people.members"> = {}, options?: CallOptions) {
    return this.carryOut("people.members", given, options);
  }

  /** Take a person's role in a space away; what they wrote stays. Everybody may leave. */
  removeMember(given: Arguments<"people.remove_member">, options?: CallOptions) {
    return this.carryOut("people.remove_member", given, options);
  }

  /** Record that a person agrees to a purpose, or no longer does; `means` says how they said so. */
  setConsent(given: Arguments<"people.set_consent">, options?: CallOptions) {
    return this.carryOut("people.set_consent", given, options);
  }

  /** Store names, time zone and language of a person; what is left empty stays as it was. */
  update(given: Arguments<"people.update">, options?: CallOptions) {
    return this.carryOut("people.update", given, options);
  }
}

export class Review {
  private readonly carryOut: Call;

  constructor(call: Call) {
    this.carryOut = call;
  }

  /** What came in each of the last weeks, oldest first, as far as a person may see it; the last one ends today. */
  activity(given: Arguments<"review.activity"> = {}, options?: CallOptions) {
    return this.carryOut("review.activity", given, options);
  }

  /** How many records `records` with the same arguments would list, by kind, state and area. */
  count(given: Arguments<"review.count"> = {}, options?: CallOptions) {
    return this.carryOut("review.count", given, options);
  }

  /** People, places and things that records which a person may see mention, and which are mentioned together. */
  entities(given: Arguments<"review.entities"> = {}, options?: CallOptions) {
    return this.carryOut("review.entities", given, options);
  }

  /** Offer statements for review, all of them or none; returns those that were not offered before. */
  propose(given: Arguments<"review.propose">, options?: CallOptions) {
    return this.carryOut("review.propose", given, options);
  }

  /** Records that a person may see, newest first, without a question; current ones unless `states` names others. */
  records(given: Arguments<"review.records"> = {}, options?: CallOptions) {
    return this.carryOut("review.records", given, options);
  }

  /** Change who may see it: its person ("private"), the members of its space ("team") or everybody ("project"). */
  share(given: Arguments<"review.share">, options?: CallOptions) {
    return this.carryOut("review.share", given, options);
  }

  /** Have a newer record replace an older one, or lower the confidence in it, as its kind says. */
  supersede(given: Arguments<"review.supersede">, options?: CallOptions) {
    return this.carryOut("review.supersede", given, options);
  }

  /** What waits for a person's decision before it is used: confirm it, correct it, or forget it. */
  waiting(given: Arguments<"review.waiting"> = {}, options?: CallOptions) {
    return this.carryOut("review.waiting", given, options);
  }
}

export class Sealed {
  private readonly carryOut: Call;

  constructor(call: Call) {
    this.carryOut = call;
  }

  /** Items that a person may see, newest first. */
  all(given: Arguments<"sealed.all"> = {}, options?: CallOptions) {
    return this.carryOut("sealed.all", given, options);
  }

  /** How many items a person may see, by key: all that this side knows about them. */
  count(given: Arguments<"sealed.count"> = {}, options?: CallOptions) {
    return this.carryOut("sealed.count", given, options);
  }

  /** Destroy an item for good; False when this person has none of that id. */
  delete(given: Arguments<"sealed.delete">, options?: CallOptions) {
    return this.carryOut("sealed.delete", given, options);
  }

  /** One item, if this person may see it. */
  get(given: Arguments<"sealed.get">, options?: CallOptions) {
    return this.carryOut("sealed.get", given, options);
  }

  /** Store items, all of them or none; returns how many are new. One that is here already stays. */
  put(given: Arguments<"sealed.put">, options?: CallOptions) {
    return this.carryOut("sealed.put", given, options);
  }

  /** The nearest items that a person may see, of one model and one client's keys, best first. */
  search(given: Arguments<"sealed.search">, options?: CallOptions) {
    return this.carryOut("sealed.search", given, options);
  }
}

export class Sessions {
  private readonly carryOut: Call;

  constructor(call: Call) {
    this.carryOut = call;
  }

  /** A message with up to `reach` messages before and after it in its conversation, oldest first. */
  around(given: Arguments<"sessions.around">, options?: CallOptions) {
    return this.carryOut("sessions.around", given, options);
  }

  /** Mark a session as settled by someone else, so that it is not settled again; how many conversations. */
  markSettled(given: Arguments<"sessions.mark_settled">, options?: CallOptions) {
    return this.carryOut("sessions.mark_settled", given, options);
  }

  /** Store that a session was shown these records; with `user`, those that the person may see. */
  markShown(given: Arguments<"sessions.mark_shown">, options?: CallOptions) {
    return this.carryOut("sessions.mark_shown", given, options);
  }

  /** Settle conversations that have ended; what each gave, as far as a reader may see it. */
  settleEach(given: Arguments<"sessions.settle_each">, options?: CallOptions) {
    return this.carryOut("sessions.settle_each", given, options);
  }

  /** Turn one conversation into knowledge; None when it was settled before. */
  settleOne(given: Arguments<"sessions.settle_one">, options?: CallOptions) {
    return this.carryOut("sessions.settle_one", given, options);
  }

  /** The ids of what a session was shown, where the preset shows a record once per session. */
  shown(given: Arguments<"sessions.shown">, options?: CallOptions) {
    return this.carryOut("sessions.shown", given, options);
  }

  /** Conversations that are open or wait to be settled, oldest first; with `user`, those that person began. */
  unsettled(given: Arguments<"sessions.unsettled"> = {}, options?: CallOptions) {
    return this.carryOut("sessions.unsettled", given, options);
  }

  /** The last turns of a session, oldest first; with `user`, what that person may see of them. */
  window(given: Arguments<"sessions.window">, options?: CallOptions) {
    return this.carryOut("sessions.window", given, options);
  }
}

export class Spaces {
  private readonly carryOut: Call;

  constructor(call: Call) {
    this.carryOut = call;
  }

  /** Create a space, with the preset of the home space unless another is named. */
  add(given: Arguments<"spaces.add">, options?: CallOptions) {
    return this.carryOut("spaces.add", given, options);
  }

  /** All spaces of this memory. */
  all(given: Arguments<"spaces.all"> = {}, options?: CallOptions) {
    return this.carryOut("spaces.all", given, options);
  }

  /** Hide a whole space; it can be restored until its grace period ends. Its documents are removed at once. */
  delete(given: Arguments<"spaces.delete">, options?: CallOptions) {
    return this.carryOut("spaces.delete", given, options);
  }

  /** The preset of a space. */
  preset(given: Arguments<"spaces.preset"> = {}, options?: CallOptions) {
    return this.carryOut("spaces.preset", given, options);
  }

  /** The limits of a space: those that were set for it, else its preset's. */
  quota(given: Arguments<"spaces.quota"> = {}, options?: CallOptions) {
    return this.carryOut("spaces.quota", given, options);
  }

  /** Bring a deleted space back. */
  restore(given: Arguments<"spaces.restore">, options?: CallOptions) {
    return this.carryOut("spaces.restore", given, options);
  }

  /** Set the limits of a space, replacing its preset's. */
  setQuota(given: Arguments<"spaces.set_quota">, options?: CallOptions) {
    return this.carryOut("spaces.set_quota", given, options);
  }

  /** Set the limits of all spaces of this memory together. */
  setTenantQuota(given: Arguments<"spaces.set_tenant_quota">, options?: CallOptions) {
    return this.carryOut("spaces.set_tenant_quota", given, options);
  }

  /** Switch memory on or off for a space: while it is off, nothing is stored and nothing is shown. */
  switch(given: Arguments<"spaces.switch">, options?: CallOptions) {
    return this.carryOut("spaces.switch", given, options);
  }

  /** The limits of all spaces of this memory together. */
  tenantQuota(given: Arguments<"spaces.tenant_quota"> = {}, options?: CallOptions) {
    return this.carryOut("spaces.tenant_quota", given, options);
  }

  /** Why nothing is stored or shown in a space now, and what to do about it; "" when memory is on there. */
  whyOff(given: Arguments<"spaces.why_off"> = {}, options?: CallOptions) {
    return this.carryOut("spaces.why_off", given, options);
  }
}

export class Storage {
  private readonly carryOut: Call;

  constructor(call: Call) {
    this.carryOut = call;
  }

  /** A whole copy at `target`, or the next of three rolling copies beside the memory. */
  backup(given: Arguments<"storage.backup"> = {}, options?: CallOptions) {
    return this.carryOut("storage.backup", given, options);
  }

  /** The rolling copies beside the memory, newest first; none of a memory in a database. */
  backups(given: Arguments<"storage.backups"> = {}, options?: CallOptions) {
    return this.carryOut("storage.backups", given, options);
  }

  /** What is wrong with the store; with `repair`, also what was done about it. All well is []. */
  check(given: Arguments<"storage.check"> = {}, options?: CallOptions) {
    return this.carryOut("storage.check", given, options);
  }
}

export class Team {
  private readonly carryOut: Call;

  constructor(call: Call) {
    this.carryOut = call;
  }

  /** What is met most often, by file and by use; who confirmed what; which modules something is known about. */
  figures(given: Arguments<"team.figures"> = {}, options?: CallOptions) {
    return this.carryOut("team.figures", given, options);
  }

  /** The best hits of all spaces that a person may read, or of these; each record names its space. */
  search(given: Arguments<"team.search">, options?: CallOptions) {
    return this.carryOut("team.search", given, options);
  }
}

export class Tools {
  private readonly carryOut: Call;

  constructor(call: Call) {
    this.carryOut = call;
  }

  /** Call Tool */
  call(given: Arguments<"tools.call">, options?: CallOptions) {
    return this.carryOut("tools.call", given, options);
  }

  /** List Tools */
  list(given: Arguments<"tools.list"> = {}, options?: CallOptions) {
    return this.carryOut("tools.list", given, options);
  }
}

export class Webhooks {
  private readonly carryOut: Call;

  constructor(call: Call) {
    this.carryOut = call;
  }

  /** Have events sent to an https address from now on; returns the secret that signs them, which is shown once. */
  add(given: Arguments<"webhooks.add">, options?: CallOptions) {
    return this.carryOut("webhooks.add", given, options);
  }

  /** All webhooks, oldest first, with how deliveries went; never a secret. */
  all(given: Arguments<"webhooks.all"> = {}, options?: CallOptions) {
    return this.carryOut("webhooks.all", given, options);
  }

  /** Send nothing more there, and drop the secret. */
  remove(given: Arguments<"webhooks.remove">, options?: CallOptions) {
    return this.carryOut("webhooks.remove", given, options);
  }

  /** Send a delivery of type `test` now; WebhookError says what went wrong. One that had ended is used again. */
  test(given: Arguments<"webhooks.test">, options?: CallOptions) {
    return this.carryOut("webhooks.test", given, options);
  }
}

/** Every operation; those of a group are behind its name, as in `memory.people.all()`. */
export class MemoryOperations {
  protected readonly carryOut: Call;
  readonly audit: Audit;
  readonly documents: Documents;
  readonly jobs: Jobs;
  readonly journals: Journals;
  readonly keys: Keys;
  readonly people: People;
  readonly review: Review;
  readonly sealed: Sealed;
  readonly sessions: Sessions;
  readonly spaces: Spaces;
  readonly storage: Storage;
  readonly team: Team;
  readonly tools: Tools;
  readonly webhooks: Webhooks;

  constructor(call: Call) {
    this.carryOut = call;
    this.audit = new Audit(call);
    this.documents = new Documents(call);
    this.jobs = new Jobs(call);
    this.journals = new Journals(call);
    this.keys = new Keys(call);
    this.people = new People(call);
    this.review = new Review(call);
    this.sealed = new Sealed(call);
    this.sessions = new Sessions(call);
    this.spaces = new Spaces(call);
    this.storage = new Storage(call);
    this.team = new Team(call);
    this.tools = new Tools(call);
    this.webhooks = new Webhooks(call);
  }

  /** Settle a question by what the person said; returns the record that holds now. */
  answer(given: Arguments<"answer">, options?: CallOptions) {
    return this.carryOut("answer", given, options);
  }

  /** A person says that it is true: more certain, not fading, never overwritten; `confirmed=False` undoes that. */
  confirm(given: Arguments<"confirm">, options?: CallOptions) {
    return this.carryOut("confirm", given, options);
  }

  /** A block for the prompt with what helps here, never larger than the budget of tokens. */
  context(given: Arguments<"context">, options?: CallOptions) {
    return this.carryOut("context", given, options);
  }

  /** A person says what is true instead: the new record is certain, the old one stays in history. */
  correct(given: Arguments<"correct">, options?: CallOptions) {
    return this.carryOut("correct", given, options);
  }

  /** A named thing with its aliases and the records that mention it; None when it was never named. */
  entity(given: Arguments<"entity">, options?: CallOptions) {
    return this.carryOut("entity", given, options);
  }

  /** Destroy everything of a person and everything derived from it, backups included; returns the receipt. */
  erase(given: Arguments<"erase">, options?: CallOptions) {
    return this.carryOut("erase", given, options);
  }

  /** Write everything to a file, by its path or open for bytes; returns how many lines or records. */
  export(given: Arguments<"export"> = {}, options?: CallOptions) {
    return this.carryOut("export", given, options);
  }

  /** A person says that it is wrong: no longer shown, restorable; related records are listed for review. */
  flag(given: Arguments<"flag">, options?: CallOptions) {
    return this.carryOut("flag", given, options);
  }

  /** Hide it; it can be restored until it is purged. */
  forget(given: Arguments<"forget">, options?: CallOptions) {
    return this.carryOut("forget", given, options);
  }

  /** One record, in whatever state. */
  get(given: Arguments<"get">, options?: CallOptions) {
    return this.carryOut("get", given, options);
  }

  /** Everything that happened to a record, and the chain of records it belongs to. */
  history(given: Arguments<"history">, options?: CallOptions) {
    return this.carryOut("history", given, options);
  }

  /** Read an export, an older store or a file of another program; what is here already stays. */
  import(given: Arguments<"import_">, options?: CallOptions) {
    return this.carryOut("import_", given, options);
  }

  /** Store a message: it is on disk and findable when this returns. A skipped one says which rule skipped it. */
  observe(given: Arguments<"observe">, options?: CallOptions) {
    return this.carryOut("observe", given, options);
  }

  /** Store many messages in one transaction, each a table of the arguments of `observe`; all of them or none. */
  observeMany(given: Arguments<"observe_many">, options?: CallOptions) {
    return this.carryOut("observe_many", given, options);
  }

  /** Always show it and never let it fade; `pinned=False` undoes that. */
  pin(given: Arguments<"pin">, options?: CallOptions) {
    return this.carryOut("pin", given, options);
  }

  /** What is known of a person: their document, or their facts by kind where the preset keeps none. */
  profile(given: Arguments<"profile">, options?: CallOptions) {
    return this.carryOut("profile", given, options);
  }

  /** Destroy a record and everything derived from it alone; returns how many records are gone. */
  purge(given: Arguments<"purge">, options?: CallOptions) {
    return this.carryOut("purge", given, options);
  }

  /** Open questions about conflicts, which the person can answer. */
  questions(given: Arguments<"questions"> = {}, options?: CallOptions) {
    return this.carryOut("questions", given, options);
  }

  /** The records that help with a question, best first, each with a score from 0 to 1 and why it was found. */
  recall(given: Arguments<"recall">, options?: CallOptions) {
    return this.carryOut("recall", given, options);
  }

  /** Store a statement as a record of a kind; one that says the same already is returned instead. */
  remember(given: Arguments<"remember">, options?: CallOptions) {
    return this.carryOut("remember", given, options);
  }

  /** A text for people about a period, in Markdown with its sources. */
  report(given: Arguments<"report">, options?: CallOptions) {
    return this.carryOut("report", given, options);
  }

  /** Bring back what was forgotten, flagged, superseded, faded or expired. */
  restore(given: Arguments<"restore">, options?: CallOptions) {
    return this.carryOut("restore", given, options);
  }

  /** Finish these conversations now: they become notes, facts and documents. */
  settle(given: Arguments<"settle"> = {}, options?: CallOptions) {
    return this.carryOut("settle", given, options);
  }

  /** Counts by kind and state, the newest moment, and the sizes of everything else. */
  stats(given: Arguments<"stats"> = {}, options?: CallOptions) {
    return this.carryOut("stats", given, options);
  }

  /** Run every background job that is due and return what was done; waits for jobs that have already begun. */
  tend(given: Arguments<"tend"> = {}, options?: CallOptions) {
    return this.carryOut("tend", given, options);
  }

  /** What happened when, oldest first: new records and changes of records, the newest `limit`. */
  timeline(given: Arguments<"timeline"> = {}, options?: CallOptions) {
    return this.carryOut("timeline", given, options);
  }

  /** Whoami */
  whoami(given: Arguments<"whoami"> = {}, options?: CallOptions) {
    return this.carryOut("whoami", given, options);
  }

  /** Why a record is not among the hits for a question, or at which place it is. */
  whyNot(given: Arguments<"why_not">, options?: CallOptions) {
    return this.carryOut("why_not", given, options);
  }
}
