import { describe, expect, it } from 'vitest'
import { createLog } from './log.ts'

function logged(readable: boolean, write: (log: ReturnType<typeof createLog>) => void): string {
  let text = ''
  write(createLog({ level: 'info', readable, stream: { write: (line) => (text += line) } }))
  return text
}

describe('OIDC X3: secrets never in logs', () => {
  it.each([true, false])('OIDC X3: fields and text that hold secrets are hidden (readable: %s)', (readable) => {
    const text = logged(readable, (log) => {
      log.info(
        { authorization: 'Basic RVYtMTpodW50ZXIy', password: 'hunter2', req: { headers: { cookie: 'sid=9' } } },
        'x',
      )
      log.warn({ detail: 'sent Bearer pwa_abcdefghijkl and whsec_mnopqrstuv' }, 'header was Basic RVYtMTpodW50ZXIy')
      log.error({ err: new Error('refused pwk_1_supersecret') }, 'failed')
    })
    expect(text).not.toMatch(/hunter2|RVYtMTpodW50ZXIy|sid=9|abcdefghijkl|mnopqrstuv|supersecret/)
    expect(text).toContain('pwk_[hidden]')
  })

  it('writes JSON for machines and one short line for people', () => {
    expect(JSON.parse(logged(false, (log) => log.info({ chargePointId: 'EV-1' }, 'Booted')))).toMatchObject({
      chargePointId: 'EV-1',
      msg: 'Booted',
    })
    expect(logged(true, (log) => log.warn({ chargePointId: 'EV-1', status: 401 }, 'Refused'))).toMatch(
      /^\d\d:\d\d:\d\d\.\d{3} WARN {2}Refused chargePointId=EV-1 status=401\n$/,
    )
  })

  it('keeps the stack of an error', () => {
    expect(logged(true, (log) => log.error({ err: new Error('broken') }, 'x'))).toContain('log.test.ts')
  })
})
