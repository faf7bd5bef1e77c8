// Loaded into a server before its own code (node --import): says on request how much processor time its process has
// used,
// all threads together. Plain JavaScript because it is loaded as it is.
import { isMainThread } from 'node:worker_threads'

if (isMainThread) {
  process.on('message', (message) => {
    if (message.action !== 'cpu') return
    const { user, system } = process.cpuUsage()
    process.send({ order: message.order, result: (user + system) / 1000 })
  })
  process.on('disconnect', () => process.exit(0))
}
