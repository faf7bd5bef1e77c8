import type { Command } from 'commander'
import { sessionSettings } from '../../core/core-settings.ts'
import { type Difference, rebuildSession } from '../../core/rebuild/rebuild.ts'
import { registerSessionOrders } from './api/session-orders.ts'
import { type CliContext, EXIT } from './cli-context.ts'
import { withReads } from './database.ts'
import { declare } from './declare.ts'
import { ExitCode, type JsonOption, type Printable, printList } from './output/print.ts'

export function register(program: Command, context: CliContext): void {
  addTo(program.command('session').description('charging sessions'), context)
  // What it was called before.
  addTo(program.command('sessions', { hidden: true }), context)
}

function addTo(sessions: Command, context: CliContext): void {
  registerSessionOrders(sessions, context)
  declare(sessions, context, {
    usage: 'rebuild',
    does: 'decide a session again from the stored messages and show what differs; changes nothing',
    takes: (command) => command.argument('<id>', 'the session'),
    examples: ['pilotwire session rebuild 0197f3c2-5a10-7abc-8def-0123456789ab'],
    run: rebuild,
  })
}

/** Ends with 1 where something differs. */
async function rebuild(context: CliContext, id: string, { json }: JsonOption): Promise<void> {
  await withReads(context, async ({ reads, settings }) => {
    const session = await reads.findSession(id)
    if (!session) throw new Error(`There is no session ${id}.`)
    const rebuilt = await rebuildSession(reads, session, sessionSettings(settings))
    if (!rebuilt) throw new Error(`The charge point ${session.chargePointId} is not registered any more.`)
    const { rows, events, differences } = rebuilt
    if (json || differences.length > 0) {
      printList(context, differences.map(shown), ['event', 'member', 'stored', 'rebuilt'], json)
    }
    const compared = events === 0 ? 'the session (its events are no longer kept)' : `the session and ${events} events`
    context.note(`${rows} messages replayed, compared with ${compared}: differences ${differences.length}.`)
    if (differences.length > 0) throw new ExitCode(EXIT.failure)
  })
}

function shown({ eventId, member, stored, rebuilt }: Difference): Printable {
  return { event: eventId ?? 'session', member, stored, rebuilt }
}
