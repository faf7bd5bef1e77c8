/** The server under test on a generated database, and a client with a credential of its own. */
import { randomBytes } from 'node:crypto'
import { createCredential } from '../../src/domain/accounts/credentials.ts'
import { databaseFile } from '../../src/storage/open.ts'
import { type PilotwireServer, startPilotwire } from '../roles/pilotwire-server.ts'

export interface SearchApi {
  readonly server: PilotwireServer
  /** Throws for every answer but 200. */
  search(chargePointId: string, body: Readonly<Record<string, unknown>>): Promise<Response>
}

const CREDENTIAL_MS = 3_600_000

/** The server makes keys only for new databases. The same in every run: what it sealed in one must open in the next. */
export const SECRET_KEY = Buffer.alloc(32, 'the secret of a bench').toString('base64')

/** Runs `work` beside a server on the database `path`. */
export async function withSearchApi<T>(
  path: string,
  directory: string,
  work: (api: SearchApi) => Promise<T>,
): Promise<T> {
  const credential = await addCredential(path)
  const server = await startPilotwire({
    directory,
    environment: {
      PILOTWIRE_DATABASE_URL: `file:${path}`,
      PILOTWIRE_RATE_V2: '0',
      PILOTWIRE_RATE_API: '0',
      PILOTWIRE_SECRET_KEY: SECRET_KEY,
    },
  })
  const apiUrl = server.ocppUrl.replace('ws:', 'http:').replace('/ocpp', '')
  try {
    return await work({
      server,
      async search(chargePointId, body) {
        const response = await fetch(`${apiUrl}/2/evse-controllers/${chargePointId}/commands/search`, {
          method: 'POST',
          headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
          body: JSON.stringify({ from: '2020-01-01T00:00:00Z', ...body }),
        })
        if (response.status === 200) return response
        throw new Error(`The search was answered ${response.status}: ${await response.text()}`)
      },
    })
  } finally {
    await server.stop()
  }
}

/** For the first account; it expires, so nothing has to be taken back. @returns its text */
export async function addCredential(path: string): Promise<string> {
  const { reads, writes, close } = databaseFile(path).openStore()
  try {
    const [account] = await reads.listAccounts()
    if (!account) throw new Error(`${path} has no account: make a database with \`npm run bench -- generate\`.`)
    const now = Date.now()
    const { text, credential } = createCredential(randomBytes, {
      accountId: account.id,
      name: 'Bench',
      createdAt: now,
      expiresAt: now + CREDENTIAL_MS,
    })
    await writes.createCredential(credential)
    return text
  } finally {
    close()
  }
}
