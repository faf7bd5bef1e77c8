/** Somebody who looks at pages: signed in on the database, and timed from the request to the last byte. */
import { randomBytes } from 'node:crypto'
import { createUserRecord } from '../../src/domain/accounts/user.ts'
import { hashOf, newId } from '../../src/oidc/oidc-secrets.ts'
import { databaseAt } from '../../src/storage/open.ts'

/** Adds an administrator with a login session. @returns the session's cookie */
export async function addVisitor(path: string, accountId: string, now: number): Promise<string> {
  const { writes, close } = await databaseAt(`file:${path}`).openStore()
  try {
    const person = { id: 'visitor', accountId, email: 'visitor@example.com', role: 'administrator' as const }
    const user = await createUserRecord({ ...person, password: randomBytes(12).toString('hex') }, now, randomBytes)
    await writes.createUser(user)
    const cookie = randomBytes(32).toString('base64url')
    await writes.createLoginSession({
      idHash: hashOf(cookie),
      sid: newId(randomBytes),
      userId: user.id,
      authenticatedAt: now,
      createdAt: now,
      lastSeenAt: now,
      passwordMark: hashOf(user.passwordHash).slice(0, 16),
      ip: '127.0.0.1',
      userAgent: 'bench',
    })
    return `pilotwire_sid=${cookie}`
  } finally {
    await close()
  }
}

/** @returns milliseconds; throws for every answer but 200 */
export async function timed(url: string, cookie: string): Promise<number> {
  const startedAt = performance.now()
  const response = await fetch(url, { headers: { cookie }, redirect: 'manual' })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${url} was answered ${response.status}: ${text.slice(0, 200)}`)
  return performance.now() - startedAt
}
