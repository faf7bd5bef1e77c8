/** Names in certificates: what we write, and what a charge point's subject must say (CERT-6, CERT-13). */
import type { X509Certificate } from 'node:crypto'
import { x509 } from './library.ts'

/** RFC 5280, appendix A: ub-common-name and ub-organization-name. */
export const LONGEST_NAME = 64

export interface Subject {
  readonly commonName?: string | undefined
  readonly organizations: readonly string[]
}

/** Of the library, because OpenSSL's text of a name has to be taken apart. @throws for one that it cannot read */
export function subjectOf({ raw }: X509Certificate): Subject {
  const { subjectName } = new x509.X509Certificate(new Uint8Array(raw))
  return { commonName: subjectName.getField('CN')[0], organizations: subjectName.getField('O') }
}

/** UTF-8 in so many words: the library would read quotation marks and `#` in a text as notation. */
export function subjectNames(commonName: string, organization: string): x509.Name {
  return new x509.Name([{ CN: [{ utf8String: commonName }] }, { O: [{ utf8String: organization }] }])
}

/** `contains` is the default: 2.0.1 A00.FR.405 asks for no more. */
export type SubjectCheck = 'contains' | 'exact' | 'off'

/** What is wrong with a common name for the charge point of this serial number, or undefined. */
export function commonNameFault(
  commonName: string | undefined,
  serialNumber: string | undefined,
  check: SubjectCheck = 'contains',
): string | undefined {
  if (check === 'off' || serialNumber === undefined || serialNumber === '') return undefined
  if (commonName === undefined) return 'it has no common name'
  const fits = check === 'exact' ? commonName === serialNumber : commonName.includes(serialNumber)
  return fits ? undefined : `its common name ${check === 'exact' ? 'is not' : 'does not contain'} the serial number`
}
