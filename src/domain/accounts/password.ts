/** Passwords of users (OIDC-L5). Two hashes run at a time at most: they share threads with signatures and files. */
import { type BinaryLike, scrypt, timingSafeEqual } from 'node:crypto'

/** A lane lets a fixed number of jobs run at once, a fixed number wait, and turns the rest away. */
export class LaneFull extends Error {
  override readonly name = 'LaneFull'
  readonly code = 'busy'

  constructor() {
    super('Too many sign-ins at once: try again in a few seconds.')
  }
}

type Lane = <T>(job: () => Promise<T>) => Promise<T>

export function createLane(atOnce: number, waiting: number): Lane {
  const queue: (() => void)[] = []
  let running = 0

  const turn = (): Promise<void> => {
    if (running < atOnce) {
      running++
      return Promise.resolve()
    }
    return new Promise((resolve) => queue.push(resolve))
  }
  return async (job) => {
    if (running >= atOnce && queue.length >= waiting) throw new LaneFull()
    await turn()
    try {
      return await job()
    } finally {
      // The slot is handed on, not freed and taken again, so that no newcomer overtakes the queue.
      const next = queue.shift()
      if (next) next()
      else running--
    }
  }
}

interface Cost {
  readonly log2N: number
  readonly r: number
  readonly p: number
}

/** A few hundred milliseconds of one core; p=3 asks for the work of three with the memory of one. */
const COST: Cost = { log2N: 15, r: 8, p: 3 }
const KEY_BYTES = 32
const SALT_BYTES = 16
/** scrypt needs 128·N·r = 32 MiB and a little; Node's default limit of exactly 32 MiB refuses it. */
const MAX_MEMORY_BYTES = 64 * 1024 * 1024
const AT_ONCE = 2
const WAITING = 50

const lane = createLane(AT_ONCE, WAITING)

const PASSWORD_MIN_LENGTH = 8
export const PASSWORD_MAX_LENGTH = 1024

/** What is wrong with a new password, undefined when nothing is. Length is the only rule; characters are counted. */
export function checkPassword(password: string): string | undefined {
  const length = [...composed(password, PASSWORD_MAX_LENGTH)].length
  if (length < PASSWORD_MIN_LENGTH)
    return `A password has at least ${PASSWORD_MIN_LENGTH} characters, this one ${length}.`
  if (length > PASSWORD_MAX_LENGTH)
    return `A password has at most ${PASSWORD_MAX_LENGTH} characters, this one ${length}.`
  return undefined
}

/** @returns a PHC string `$scrypt$ln=15,r=8,p=3$<salt>$<hash>` @throws LaneFull when more than 50 wait: answer 503 */
export async function hashPassword(password: string, random: (bytes: number) => Buffer): Promise<string> {
  const salt = random(SALT_BYTES)
  const hash = await derive(password, salt, COST, KEY_BYTES)
  return `$scrypt$ln=${COST.log2N},r=${COST.r},p=${COST.p}$${phcBase64(salt)}$${phcBase64(hash)}`
}

/** Constant-time, also without a stored hash (OIDC-L4). @throws LaneFull when more than 50 sign-ins wait: answer 503 */
export async function verifyPassword(password: string, stored: string | undefined): Promise<boolean> {
  const parsed = stored === undefined ? undefined : parse(stored)
  if (!parsed) {
    await derive(password, Buffer.alloc(SALT_BYTES), COST, KEY_BYTES)
    return false
  }
  const hash = await derive(password, parsed.salt, parsed.cost, parsed.hash.length)
  return timingSafeEqual(hash, parsed.hash)
}

/** The cost has risen since this hash was made: hash again at the next correct sign-in. */
export function needsRehash(stored: string): boolean {
  const cost = parse(stored)?.cost
  return cost?.log2N !== COST.log2N || cost.r !== COST.r || cost.p !== COST.p
}

/** 20 characters of 120 random bits, in groups that can be read aloud. */
export function generatePassword(random: (bytes: number) => Buffer): string {
  const letters = 'abcdefghjkmnpqrstuvwxyz23456789ACDEFGHJKLMNPQRTUVWXY'
  const limit = 256 - (256 % letters.length)
  let text = ''
  while (text.length < 24) {
    // Bytes beyond the last whole multiple would make the first letters likelier.
    for (const byte of random(32)) if (byte < limit && text.length < 24) text += letters[byte % letters.length] ?? ''
  }
  return text.match(/.{6}/g)?.join('-') ?? text
}

function derive(password: string, salt: BinaryLike, cost: Cost, bytes: number): Promise<Buffer> {
  const options = { N: 2 ** cost.log2N, r: cost.r, p: cost.p, maxmem: MAX_MEMORY_BYTES }
  return lane(
    () =>
      new Promise((resolve, reject) => {
        scrypt(password.normalize('NFC'), salt, bytes, options, (error, key) => (error ? reject(error) : resolve(key)))
      }),
  )
}

function parse(stored: string): { cost: Cost; salt: Buffer; hash: Buffer } | undefined {
  const match = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/.exec(stored)
  if (!match) return undefined
  const [, log2N, r, p, salt = '', hash = ''] = match
  const cost = { log2N: Number(log2N), r: Number(r), p: Number(p) }
  const key = Buffer.from(hash, 'base64')
  return key.length >= 16 ? { cost, salt: Buffer.from(salt, 'base64'), hash: key } : undefined
}

/** PHC strings use base64 without padding. */
function phcBase64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}

/** In NFC (OIDC-U9). Sorting combining marks is quadratic: text with far more than `most` characters stays as typed. */
export function composed(text: string, most: number): string {
  return text.length > most * TYPED_AS ? text : text.normalize('NFC')
}

/** A surrogate pair, or a letter with its marks. */
const TYPED_AS = 4
