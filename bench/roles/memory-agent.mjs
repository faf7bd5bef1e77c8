// Loaded into a server before its own code (node --expose-gc --import): says how much memory the process holds, and
// collects garbage in every thread before where that is asked. Plain JavaScript because it is loaded as it is.
import { BroadcastChannel, isMainThread } from 'node:worker_threads'

// The thorough kind gives empty pages back, so that earlier garbage does not hide what connections cost.
const collect = () => globalThis.gc({ type: 'major', execution: 'sync', flavor: 'last-resort' })
const channel = new BroadcastChannel('bench-memory')
channel.unref()

if (isMainThread) {
  process.on('message', async (message) => {
    if (message.action !== 'memory' && message.action !== 'resident') return
    for (let round = 0; round < (message.action === 'memory' ? 4 : 0); round++) {
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
