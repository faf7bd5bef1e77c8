/** What must be in memory before `decide` may run on an input. */
import type { Input, Lookups } from './decision.ts'
import type { IdTokenRef } from './model.ts'
import { canBeRecovered, recoveredTransactionId } from './stop.ts'

const NOTHING: Lookups = { transactionIds: [], startKeys: [], sessionIds: [], idTokens: [] }

export function lookups(input: Input): Lookups {
  switch (input.kind) {
    case 'authorise':
      return { ...NOTHING, idTokens: idsOf(input.idToken) }
    case 'started':
      return { ...NOTHING, startKeys: [input.startKey], idTokens: idsOf(input.idToken) }
    case 'sampled':
      return { ...NOTHING, transactionIds: listed(input.transactionId) }
    case 'stopped': {
      const named = listed(input.transactionId)
      const transactionIds = canBeRecovered(input) ? [...named, recoveredTransactionId(input.digest)] : named
      return { ...NOTHING, transactionIds, idTokens: idsOf(input.idToken) }
    }
    case 'transactionEvent':
      return { ...NOTHING, transactionIds: [input.transactionId], idTokens: idsOf(input.idToken) }
    case 'remoteStartAnswered':
      return { ...NOTHING, sessionIds: [input.sessionId], transactionIds: listed(input.transactionId) }
    case 'transactionStatusAnswered':
      return { ...NOTHING, transactionIds: [input.transactionId] }
    case 'remoteStartRequested':
    case 'remoteStopRequested':
    case 'remoteStopAnswered':
    case 'settled':
      return { ...NOTHING, sessionIds: [input.sessionId] }
    case 'booted':
    case 'noted':
    case 'connectorStatus':
    case 'tick':
      return NOTHING
  }
}

function idsOf(idToken: IdTokenRef | undefined): readonly string[] {
  return idToken && idToken.id !== '' ? [idToken.id] : []
}

function listed(id: string | undefined): readonly string[] {
  return id === undefined ? [] : [id]
}
