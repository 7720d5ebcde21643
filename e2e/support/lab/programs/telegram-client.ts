import type { TelegramTask } from '../contracts.ts'
import { copyBytes } from './copy-bytes.ts'
import { runTask } from './run-task.ts'
import { TelegramCall } from './telegram-call.ts'

/** A call through an MTProto proxy to the second data centre. */

await runTask<TelegramTask>(
  (task) => copyBytes(() => TelegramCall.open(task), task),
  (task) => `the call through ${task.host}:${task.port}`,
)
