/** What the statuses of both versions mean for an update; spelled in any case of letters. */

const FAILED: ReadonlySet<string> = new Set([
  'downloadfailed',
  'installationfailed',
  'installverificationfailed',
  'invalidsignature',
  'invalidcertificate',
  'certificateverificationfailed',
  'revokedcertificate',
])

export function meaningOf(status: string): 'installed' | 'failed' | 'idle' | 'progress' {
  const said = status.toLowerCase()
  if (said === 'installed') return 'installed'
  if (said === 'idle') return 'idle'
  return FAILED.has(said) ? 'failed' : 'progress'
}
