/** A 1.6 charge point's steps to a higher security profile (CERT-C25; security whitepaper A05). */
import { text } from '../translate/payload.ts'
import type { ProfileOrder, ProfileStepCall, RaiseProfile } from '../version.ts'

export const raiseProfile: RaiseProfile = {
  steps: (order) => [
    ...(order.root === undefined ? [] : (['installCertificate'] as const)),
    'setSecurityProfile',
    'reset',
  ],
  call(step, { securityProfile, root = '' }: ProfileOrder): ProfileStepCall | undefined {
    switch (step) {
      case 'installCertificate':
        return {
          method: 'InstallCertificate',
          request: { certificateType: 'CentralSystemRootCertificate', certificate: root },
        }
      case 'setSecurityProfile':
        return { method: 'ChangeConfiguration', request: { key: 'SecurityProfile', value: String(securityProfile) } }
      case 'reset':
        return { method: 'Reset', request: { type: 'Soft' } }
      default:
        return undefined
    }
  },
  /** Once accepted, it reconnects by itself. */
  answer(step, { status }) {
    const said = text(status)
    if (step === 'setSecurityProfile') {
      return said === 'Accepted' ? 'reconnects' : said === 'RebootRequired' ? 'done' : 'refused'
    }
    return said === 'Accepted' ? 'done' : 'refused'
  },
}
