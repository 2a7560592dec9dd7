"""Chat bots: what people say on Discord, Slack or Telegram is remembered; they see and correct what is known of them.

`values` are what a platform's module makes of its events, `rules` say what is remembered and where, `chat_memory` turns
events into operations, `commands` answers people, `answering` asks a language model. They know no platform. It may
import `memory` and the layers below.
"""
