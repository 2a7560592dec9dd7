// Toldonce beside opencode: tells `toldonce hook` what happens, and puts its answers into messages and tool results.
// The system prompt stays as it is, so that the provider's prompt cache holds. Nothing is kept here, and whatever goes
// wrong leaves the session as it was.
import { spawn } from "node:child_process"
import { randomBytes } from "node:crypto"

const [program, ...rest] = __PROGRAM__
const options = __OPTIONS__
const CHANGING = ["edit", "write", "patch", "multiedit", "apply_patch"]
const FILE_TOOLS = ["read", ...CHANGING]
const MARK = "toldonce"

function hook(event, payload) {
  return new Promise((resolve) => {
    let said = ""
    try {
      const child = spawn(program, [...rest, "hook", "opencode", event, ...options], {
        stdio: ["pipe", "pipe", "ignore"], timeout: 3000, windowsHide: true,
      })
      child.stdout.on("data", (data) => { said += data })
      child.on("error", () => resolve({}))
      child.on("close", () => {
        try {
          resolve(said ? JSON.parse(said) : {})
        } catch {
          resolve({})
        }
      })
      child.stdin.on("error", () => {})
      child.stdin.end(JSON.stringify(payload))
    } catch {
      resolve({})
    }
  })
}

// A part that is stored with the person's message. It is marked as ignored, which keeps it out of requests for a title;
// `show` takes that mark off for the conversation itself.
function makePart(text, message) {
  // As opencode numbers parts: the time, so that they sort by it, then anything.
  const time = (BigInt(Date.now()) * 0x1000n + 0xfffn).toString(16).slice(-12).padStart(12, "0")
  const id = `prt_${time}${randomBytes(7).toString("hex")}`
  const owner = { id, sessionID: message.sessionID, messageID: message.id }
  return { ...owner, type: "text", text, synthetic: true, ignored: true, metadata: { [MARK]: true } }
}

function show(message) {
  if (!message.parts.some((part) => part.metadata?.[MARK])) return message
  return { ...message, parts: message.parts.map((part) => (part.metadata?.[MARK] ? { ...part, ignored: false } : part)) }
}

export const Toldonce = async ({ client, directory }) => {
  const begun = new Set()

  // A session may idle for days before anybody deletes it, so each time it does counts as its end.
  async function learn(sessionID) {
    try {
      const { data: session } = await client.session.get({ path: { id: sessionID } })
      // What a subagent is asked to do is not what a person said.
      if (session?.parentID) return
      const { data } = await client.session.messages({ path: { id: sessionID } })
      await hook("stop", { sessionID, directory, messages: data ?? [] })
    } catch {
      await hook("stop", { sessionID, directory })
    }
  }

  return {
    event: async ({ event }) => {
      const sessionID = event.properties?.sessionID ?? event.properties?.info?.id
      if (!sessionID) return
      if (event.type === "session.idle") await learn(sessionID)
      if (event.type === "session.compacted") {
        await hook("compact", { sessionID, directory })
        begun.delete(sessionID)
      }
      if (event.type === "session.deleted") {
        await hook("session-end", { sessionID, directory })
        begun.delete(sessionID)
      }
    },
    "chat.message": async ({ sessionID }, output) => {
      const prompt = output.parts.filter((part) => part.type === "text" && !part.synthetic)
        .map((part) => part.text).join("\n")
      const texts = []
      if (!begun.has(sessionID)) {
        begun.add(sessionID)
        texts.push((await hook("session-start", { sessionID, directory, source: "startup" })).context)
      }
      texts.push((await hook("prompt", { sessionID, directory, prompt })).context)
      const told = texts.filter(Boolean).join("\n\n")
      if (told) output.parts.push(makePart(told, output.message))
    },
    "experimental.chat.messages.transform": async (_, output) => {
      // Copies: what a title is made of may hold the same messages.
      output.messages.forEach((message, place) => { output.messages[place] = show(message) })
    },
    "tool.execute.before": async ({ tool, sessionID }, { args }) => {
      if (!CHANGING.includes(tool)) return
      const { refusal } = await hook("before-edit", { tool, sessionID, directory, args })
      if (refusal) throw new Error(refusal)
    },
    "tool.execute.after": async ({ tool, sessionID, args }, output) => {
      if (!FILE_TOOLS.includes(tool)) return
      const { context } = await hook("after-tool", { tool, sessionID, directory, args, output: output?.output ?? "" })
      if (context && output) output.output = `${output.output ?? ""}\n\n${context}`
    },
  }
}
