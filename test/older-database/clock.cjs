// Preloaded into a server, in each of its threads: time goes on from when its database was left behind.
const away = Number(process.env.TEST_CLOCK_BEHIND_MS)
const Today = Date

globalThis.Date = class extends Today {
  constructor(...args) {
    super(...(args.length === 0 ? [Today.now() - away] : args))
  }

  static now() {
    return Today.now() - away
  }
}
