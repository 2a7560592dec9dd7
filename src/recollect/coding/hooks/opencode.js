// Recollect beside opencode: tells `recollect hook` what happens and puts its answer into the system prompt.
// It keeps nothing of its own, and whatever goes wrong leaves the session as it was.
import { spawnSync } from "node:child_process"

const [program, ...rest] = __PROGRAM__
const options = __OPTIONS__
const FILE_TOOLS = ["read", "edit", "write", "patch", "multiedit"]

function hook(event, payload) {
  try {
    const done = spawnSync(program, [...rest, "hook", "opencode", event, ...options], {
      input: JSON.stringify(payload), encoding: "utf8", timeout: 3000, windowsHide: true,
    })
    return done.stdout ? JSON.parse(done.stdout) : {}
  } catch {
    return {}
  }
}

export const Recollect = async ({ client, directory }) => {
  // What each session was told. The system prompt is built anew for every request, so it is put in again, unchanged.
  const told = new Map()

  function tell(sessionID, { context } = {}) {
    if (context) told.set(sessionID, [...(told.get(sessionID) ?? []), context])
  }

  function begin(sessionID) {
    if (!sessionID || told.has(sessionID)) return
    told.set(sessionID, [])
    tell(sessionID, hook("session-start", { sessionID, directory, source: "startup" }))
  }

  async function finish(sessionID, event) {
    try {
      const { data } = await client.session.messages({ path: { id: sessionID } })
      hook(event, { sessionID, directory, messages: data ?? [] })
    } catch {
      hook(event, { sessionID, directory })
    }
  }

  return {
    event: async ({ event }) => {
      const sessionID = event.properties?.sessionID ?? event.properties?.info?.id
      if (event.type === "session.idle" && sessionID) await finish(sessionID, "stop")
      if (event.type === "session.compacted" && sessionID) {
        hook("compact", { sessionID, directory })
        told.delete(sessionID)
      }
      if (event.type === "session.deleted" && sessionID) {
        hook("session-end", { sessionID, directory })
        told.delete(sessionID)
      }
    },
    "chat.message": async ({ sessionID }, output) => {
      begin(sessionID)
      const texts = output.parts.filter((part) => part.type === "text" && !part.synthetic)
      const prompt = texts.map((part) => part.text).join("\n")
      tell(sessionID, hook("prompt", { sessionID, directory, prompt }))
    },
    "experimental.chat.system.transform": async ({ sessionID }, output) => {
      const texts = told.get(sessionID) ?? []
      if (texts.length) output.system.push(texts.join("\n\n"))
    },
    "tool.execute.after": async ({ tool, sessionID, args }, output) => {
      if (!FILE_TOOLS.includes(tool)) return
      tell(sessionID, hook("after-tool", { tool, sessionID, directory, args, output: output?.output ?? "" }))
    },
  }
}
