/** The signing keys: made on first need, read from the database each time so that `keys rotate` counts at once. */

import { createPrivateKey, generateKeyPair, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import { exportJWK, type JWK } from 'jose'
import type { Reads, Writes } from '../../domain/ports/storage.ts'
import type { SigningKey } from '../../domain/records/unversioned.ts'
import { type SealedBox, sealedBox } from '../../secrets/sealed-box.ts'
import { newId, type Random } from '../oidc-secrets.ts'

const RSA_BITS = 2048

export interface KeyRing {
  signingKey(): Promise<{ readonly kid: string; readonly privateKey: KeyObject }>
  publicKeys(): Promise<readonly JWK[]>
  /** With those gone since the rotation before: still prove that an ID token was ours (OIDC-P8). */
  keptKeys(): Promise<readonly JWK[]>
  lives(): Promise<readonly KeyLife[]>
  /** Makes a key that is published now and signs from five minutes on. @returns its kid */
  rotate(): Promise<string>
}

export function createKeyRing(parts: {
  readonly reads: Pick<Reads, 'listRecords'>
  readonly writes: Pick<Writes, 'createSigningKey' | 'removeRecords'>
  readonly config: { readonly secretKey: Uint8Array; readonly idTokenTtlSeconds: number }
  readonly now: () => number
  readonly random: Random
}): KeyRing {
  const { reads, writes, config, now, random } = parts
  const box = sealedBox(config.secretKey, 'signingKeys', random)
  const opened = new Map<string, KeyObject>()

  const create = async (activeFrom: number, onlyFirst: boolean): Promise<string> => {
    const key = await newSigningKey(box, now(), activeFrom, random)
    await writes.createSigningKey(key, onlyFirst)
    return key.kid
  }
  const open = ({ kid, sealedPrivateKey }: SigningKey): KeyObject | undefined => {
    const known = opened.get(kid)
    if (known) return known
    const pem = box.open(sealedPrivateKey)
    if (pem === undefined) return undefined
    const privateKey = createPrivateKey(pem)
    opened.set(kid, privateKey)
    return privateKey
  }
  const lives = async (): Promise<readonly KeyLife[]> => keyLives(await keysIn(reads), now(), config.idTokenTtlSeconds)

  /** Keys sealed under a lost secret key cannot sign any more: they are left to retire and a new one takes over. */
  const usable = async (): Promise<readonly KeyLife[]> => {
    const found = await lives()
    if (found.some(({ key, state }) => state === 'active' && open(key))) return found
    await create(now(), found.length === 0)
    return lives()
  }
  return {
    lives,
    async signingKey() {
      const active = (await usable()).find(({ state }) => state === 'active')
      const privateKey = active && open(active.key)
      if (!active || !privateKey) throw new Error('There is no signing key: run pilotwire keys rotate.')
      return { kid: active.key.kid, privateKey }
    },
    async publicKeys() {
      const live = (await usable()).filter(({ state }) => state !== 'gone')
      return live.map(publicHalf)
    },
    async keptKeys() {
      return (await usable()).map(publicHalf)
    },
    async rotate() {
      const gone = (await lives()).filter(({ state }) => state === 'gone').map(({ key: { kid } }) => ({ kid }))
      if (gone.length > 0) await writes.removeRecords('signing_keys', gone)
      await usable()
      return create(now() + JWKS_MAX_AGE_SECONDS * 1000, false)
    },
  }
}

function publicHalf({ key }: KeyLife): JWK {
  return JSON.parse(key.publicJwk) as JWK
}

async function newSigningKey(box: SealedBox, now: number, activeFrom: number, random: Random): Promise<SigningKey> {
  const { publicKey, privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: RSA_BITS })
  const { n, e } = await exportJWK(publicKey)
  const kid = newId(random)
  return {
    kid,
    publicJwk: JSON.stringify({ kty: 'RSA', use: 'sig', alg: 'RS256', kid, n, e }),
    sealedPrivateKey: box.seal(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()),
    createdAt: now,
    activeFrom,
  }
}

// Signing keys: next, active, retired, gone; a pure function of their times, so nothing has to run (OIDC-D8).

/** How long clients may keep the JWKS: a key is published this long before it signs. */
export const JWKS_MAX_AGE_SECONDS = 300

export interface KeyLife {
  readonly key: SigningKey
  readonly state: 'next' | 'active' | 'retired' | 'gone'
  /** next: when it becomes active; retired: when it is gone. */
  readonly until?: number | undefined
}

/** A rotation removes those that nothing needs any more. */
const MAX_KEYS = 1000

export function keysIn(reads: Pick<Reads, 'listRecords'>): Promise<readonly SigningKey[]> {
  return reads.listRecords('signing_keys', { limit: MAX_KEYS })
}

export function keyLives(keys: readonly SigningKey[], now: number, idTokenTtlSeconds: number): readonly KeyLife[] {
  const byTime = [...keys].sort((a, b) => a.activeFrom - b.activeFrom || a.kid.localeCompare(b.kid))
  return byTime.map((key, index): KeyLife => {
    if (key.activeFrom > now) return { key, state: 'next', until: key.activeFrom }
    const successor = byTime[index + 1]
    if (!successor || successor.activeFrom > now) return { key, state: 'active' }
    // What it signed last still has to verify, also by those who read the key set a moment ago.
    const until = successor.activeFrom + (idTokenTtlSeconds + JWKS_MAX_AGE_SECONDS) * 1000
    return { key, state: now < until ? 'retired' : 'gone', ...(now < until && { until }) }
  })
}
