/**
 * A firmware over HTTP: in one piece or, after a break, the rest of it (RFC 9110 §14), hashed and checked as it comes,
 * so that no station holds an image in memory.
 */
import { constants, createHash, createVerify, type KeyObject } from 'node:crypto'
import type { CommandTarget } from '../target.ts'

export interface Fetched {
  readonly bytes: number
  /** The file name that the server gave, or that of the address. */
  readonly name: string
  readonly sha256: string
  /** Undefined where the server named no digest (RFC 9530, or an entity tag that is one). */
  readonly isDigestRight?: boolean
  readonly isSignedBy: (key: KeyObject, signature: string) => boolean
  /** The first bytes: a version may stand there. */
  readonly head: string
}

export interface DownloadContext {
  readonly location: string
  readonly signal: AbortSignal
  readonly again: () => Promise<void>
  readonly attempts: number
  /** Of a station whose network breaks off in the middle of the first attempt. */
  readonly breaksOff?: boolean
}

const HEAD_BYTES = 512

/** Undefined: all attempts failed. */
export async function download(parts: DownloadContext): Promise<Fetched | undefined> {
  if (!isHttp(parts.location)) return undefined
  let file = newFile(parts.location)
  for (let attempt = 1; attempt <= parts.attempts; attempt++) {
    if (attempt > 1) await parts.again()
    const range = file.bytes > 0 && file.etag !== undefined ? file : undefined
    try {
      const headers = range && { range: `bytes=${range.bytes}-`, 'if-range': String(range.etag) }
      const response = await fetch(parts.location, { signal: parts.signal, ...(headers && { headers }) })
      if (!response.ok) {
        await response.body?.cancel()
        if (response.status < 500 && response.status !== 416) return undefined
        continue
      }
      if (response.status !== 206 || !range) file = newFile(parts.location, response)
      const breaksAt = attempt === 1 && parts.breaksOff ? Number(response.headers.get('content-length')) / 2 : undefined
      for await (const part of response.body ?? []) {
        file.take(Buffer.from(part as Uint8Array))
        if (breaksAt !== undefined && file.bytes >= breaksAt) throw new Error('the network is gone')
      }
      return file.whole()
    } catch {
      // The next attempt continues from here.
    }
  }
  return undefined
}

export function isHttp(location: string): boolean {
  return URL.canParse(location) && /^https?:$/.test(new URL(location).protocol)
}

function newFile(location: string, response?: Response) {
  const hash = createHash('sha256')
  // Both paddings of RSA are in use; which one it was shows only when the signature is checked.
  const verify = createVerify('sha256')
  const verifyPss = createVerify('sha256')
  let head = Buffer.alloc(0)
  let bytes = 0
  return {
    get bytes() {
      return bytes
    },
    etag: response?.headers.get('etag') ?? undefined,
    take(part: Buffer) {
      for (const sink of [hash, verify, verifyPss]) sink.update(part)
      if (head.length < HEAD_BYTES) head = Buffer.concat([head, part.subarray(0, HEAD_BYTES - head.length)])
      bytes += part.length
    },
    whole(): Fetched {
      const digest = hash.digest()
      const named =
        /sha-256=:([^:]+):/.exec(response?.headers.get('repr-digest') ?? '')?.[1] ??
        hashOf(response?.headers.get('etag'))
      return {
        bytes,
        name: nameOf(location, response),
        sha256: digest.toString('hex'),
        ...(named !== undefined && { isDigestRight: named === digest.toString('base64') }),
        head: head.toString('latin1'),
        isSignedBy(key, signature) {
          try {
            if (verify.verify(key, signature, 'base64')) return true
            const pss = { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_AUTO }
            return key.asymmetricKeyType?.startsWith('rsa') === true && verifyPss.verify(pss, signature, 'base64')
          } catch {
            return false
          }
        },
      }
    },
  }
}

/** An entity tag that is a SHA-256 in hex says what the file must be. */
function hashOf(etag: string | null | undefined): string | undefined {
  const hex = /^"([0-9a-f]{64})"$/.exec(etag ?? '')?.[1]
  return hex === undefined ? undefined : Buffer.from(hex, 'hex').toString('base64')
}

function nameOf(location: string, response: Response | undefined): string {
  const given = /filename="([^"]+)"/.exec(response?.headers.get('content-disposition') ?? '')?.[1]
  return given ?? new URL(location).pathname.split('/').at(-1) ?? ''
}

/** Runs the work so many simulated seconds from now; work for one instant must be one piece. */
export function inTime<T>(target: Pick<CommandTarget, 'time'>, seconds: number, work: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    target.time.after(seconds * 1000, () => {
      const done = work()
      done.then(resolve, reject)
      return done.catch(() => undefined)
    })
  })
}

export async function pause(target: Pick<CommandTarget, 'time'>, seconds: number): Promise<void> {
  await inTime(target, seconds, async () => undefined)
}
