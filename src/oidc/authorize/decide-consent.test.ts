import { expect, it } from 'vitest'
import { type Circumstances, decide } from './endpoint.ts'

const NOW = 1_800_000_000_000
const scopes = ['openid', 'sessions:read']
const covering = { scopes: ['openid', 'profile', 'sessions:read'], chargePoints: 'all' } as const

const LOGIN: Record<string, Pick<Circumstances, 'signedIn'>> = {
  none: {},
  old: { signedIn: { userId: 'u1', authenticatedAt: NOW - 600_000, forThisRequest: false } },
  fresh: { signedIn: { userId: 'u1', authenticatedAt: NOW, forThisRequest: true } },
}
const GRANT: Record<string, Pick<Circumstances, 'grant'>> = {
  covered: { grant: covering },
  'no grant': {},
  revoked: { grant: { ...covering, revokedAt: NOW - 1 } },
  'too few scopes': { grant: { ...covering, scopes: ['openid'] } },
  'selection lost': { grant: { ...covering, chargePoints: [] } },
  'selection never made': { grant: { scopes: [...covering.scopes] } },
}

function run(
  prompts: readonly ('none' | 'login' | 'consent')[],
  login: string,
  grant: string,
  more: Partial<Circumstances['request']> = {},
  confirmEachTime = false,
): string {
  const decision = decide({
    request: { prompts, scopes, ...more },
    ...LOGIN[login],
    ...GRANT[grant],
    confirmEachTime,
    now: NOW,
  })
  return decision.kind === 'error' ? decision.error : decision.kind
}

/** OIDC-P11, all combinations: prompt, login session, grant, what must come out. */
const coveredness = Object.keys(GRANT)
const expected = (prompt: string, login: string, grant: string): string => {
  const selection = grant.startsWith('selection')
  if (prompt === 'none') {
    if (login === 'none') return 'login_required'
    if (grant === 'covered') return 'approve'
    return selection ? 'interaction_required' : 'consent_required'
  }
  if (login === 'none') return 'login'
  if (prompt.includes('login') && login === 'old') return 'login'
  if (prompt.includes('consent')) return 'consent'
  return grant === 'covered' ? 'approve' : 'consent'
}
const PROMPTS = {
  '': [],
  none: ['none'],
  login: ['login'],
  consent: ['consent'],
  'login consent': ['login', 'consent'],
} as const

for (const [name, prompts] of Object.entries(PROMPTS))
  for (const login of Object.keys(LOGIN))
    for (const grant of coveredness)
      it(`OIDC-P11: prompt=${name || 'omitted'}, login session ${login}, grant: ${grant} -> ${expected(name, login, grant)}`, () =>
        expect(run(prompts, login, grant)).toBe(expected(name, login, grant)))

it.each(coveredness)('OIDC-K7: the setting forces consent, and prompt=none is interaction_required (%s)', (grant) => {
  expect(run([], 'old', grant, {}, true)).toBe('consent')
  expect(run(['none'], 'old', grant, {}, true)).toBe('interaction_required')
  expect(run(['none'], 'none', grant, {}, true)).toBe('login_required')
})

it.each([
  [601, 'old', 'approve'],
  [600, 'old', 'approve'],
  [599, 'old', 'login'],
  [0, 'old', 'login'],
  [0, 'fresh', 'approve'],
  [1, 'none', 'login'],
])('OIDC-P5: max_age=%i with login session %s -> %s', (maxAgeSeconds, login, result) =>
  expect(run([], login, 'covered', { maxAgeSeconds })).toBe(result),
)

it('OIDC-P5: max_age=0 asks again even in the millisecond of the sign-in', () => {
  const signedIn = { userId: 'u1', authenticatedAt: NOW, forThisRequest: false }
  expect(
    decide({
      request: { prompts: [], scopes, maxAgeSeconds: 0 },
      signedIn,
      grant: covering,
      confirmEachTime: false,
      now: NOW,
    }).kind,
  ).toBe('login')
})

it('OIDC-P5: an older login with prompt=none is login_required', () =>
  expect(run(['none'], 'old', 'covered', { maxAgeSeconds: 1 })).toBe('login_required'))

it('OIDC-P6: the re-login recorded with the request satisfies prompt=login', () =>
  expect(run(['login'], 'fresh', 'covered')).toBe('approve'))

it.each(['old', 'fresh'])('OIDC-P8: a hint at another user asks for sign-in, once (%s)', (login) => {
  expect(run([], login, 'covered', { hintUserId: 'u2' })).toBe(login === 'old' ? 'login' : 'login_required')
  expect(run(['none'], login, 'covered', { hintUserId: 'u2' })).toBe('login_required')
  expect(run([], login, 'covered', { hintUserId: 'u1' })).toBe('approve')
})

it('OIDC-P11: no selection is needed where no data scope is asked for', () =>
  expect(
    decide({
      request: { prompts: [], scopes: ['openid'] },
      ...LOGIN.old,
      grant: { scopes: ['openid'] },
      confirmEachTime: false,
      now: NOW,
    }).kind,
  ).toBe('approve'))
