// Loaded into a server before its own code (node --expose-gc --import): collects garbage in every thread on request and
// says how much memory the process then holds. Plain JavaScript because it is loaded as it is.
import { BroadcastChannel, isMainThread } from 'node:worker_threads'

// The thorough kind gives empty pages back, so that earlier garbage does not hide what connections cost.
const collect = () => globalThis.gc({ type: 'major', execution: 'sync', flavor: 'last-resort' })
const channel = new BroadcastChannel('bench-memory')
channel.unref()

if (isMainThread) {
  process.on('message', async (message) => {
    if (message.action !== 'memory') return
    for (let round = 0; round < 4; round++) {
      channel.postMessage('collect')
      collect()
      await new Promise((resolve) => setTimeout(resolve, 250))
    }
    process.send({ order: message.order, result: process.memoryUsage.rss() })
  })
  process.on('disconnect', () => process.exit(0))
} else {
  channel.onmessage = () => collect()
}
