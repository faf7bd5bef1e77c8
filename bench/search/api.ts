/** The server under test on a generated database, and a client with a credential of its own. */
import { randomBytes } from 'node:crypto'
import { createCredential } from '../../src/accounts/credentials.ts'
import { openSqliteReader } from '../../src/storage/sqlite/reader.ts'
import { openSqlite } from '../../src/storage/sqlite/writer.ts'
import { type PilotwireServer, startPilotwire } from '../roles/pilotwire-server.ts'

export interface SearchApi {
  readonly server: PilotwireServer
  /** Throws for every answer but 200. */
  search(chargePointId: string, body: Readonly<Record<string, unknown>>): Promise<Response>
}

/** Runs `work` beside a server on the database `path`; the credential is revoked afterwards. */
export async function withSearchApi<T>(
  path: string,
  directory: string,
  work: (api: SearchApi) => Promise<T>,
): Promise<T> {
  const { text, revoke } = await grantAccess(path)
  const server = await startPilotwire({
    directory,
    environment: { PILOTWIRE_DATABASE_URL: `file:${path}`, PILOTWIRE_RATE_V2: '0' },
  })
  const apiUrl = server.ocppUrl.replace('ws:', 'http:').replace('/ocpp', '')
  try {
    return await work({
      server,
      async search(chargePointId, body) {
        const response = await fetch(`${apiUrl}/2/evse-controllers/${chargePointId}/commands/search`, {
          method: 'POST',
          headers: { authorization: `Bearer ${text}`, 'content-type': 'application/json' },
          body: JSON.stringify({ from: '2020-01-01T00:00:00Z', ...body }),
        })
        if (response.status === 200) return response
        throw new Error(`The search was answered ${response.status}: ${await response.text()}`)
      },
    })
  } finally {
    await server.stop()
    await revoke()
  }
}

async function grantAccess(path: string): Promise<{ readonly text: string; readonly revoke: () => Promise<void> }> {
  const { writes, close } = openSqlite(path)
  const reader = openSqliteReader(path)
  try {
    const [account] = await reader.listAccounts()
    if (!account) throw new Error(`${path} has no account: make a database with \`npm run bench -- generate\`.`)
    const { text, credential } = createCredential(randomBytes, {
      accountId: account.id,
      name: 'Bench',
      createdAt: Date.now(),
    })
    await writes.createCredential(credential)
    return { text, revoke: () => revokeCredential(path, account.id, credential.id) }
  } finally {
    reader.close()
    close()
  }
}

async function revokeCredential(path: string, accountId: string, id: string): Promise<void> {
  const { writes, close } = openSqlite(path)
  try {
    await writes.revokeCredential(accountId, id, Date.now())
  } finally {
    close()
  }
}
