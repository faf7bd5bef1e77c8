/** Names in certificates: our own, and those that others wrote (CERT-C6, CERT-C12). */

import type { X509Certificate } from 'node:crypto'
import type { Name } from '@peculiar/x509'
import { x509Library } from './library.ts'

/** RFC 5280, appendix A: ub-common-name and ub-organization-name. */
export const MAX_NAME_LENGTH = 64

export interface Subject {
  readonly commonName?: string | undefined
  readonly organizations: readonly string[]
}

/** Of the library, because OpenSSL's text of a name has to be taken apart. @throws for one that it cannot read */
export function subjectOf({ raw }: X509Certificate): Subject {
  const x509 = x509Library()
  const { subjectName } = new x509.X509Certificate(new Uint8Array(raw))
  return { commonName: subjectName.getField('CN')[0], organizations: subjectName.getField('O') }
}

/** UTF-8 in so many words: the library would read quotation marks and `#` in a text as notation. */
export function subjectNames(commonName: string, organization: string): Name {
  const x509 = x509Library()
  return new x509.Name([{ CN: [{ utf8String: commonName }] }, { O: [{ utf8String: organization }] }])
}

/** OpenSSL puts each part of a name on a line. */
export function oneLine(name: string): string {
  return name.split('\n').reverse().join(', ')
}

/** `contains` is the default: 2.0.1 A00.FR.405 asks for no more. */
export type SubjectCheck = 'contains' | 'exact' | 'off'

/** CERT-C13: what is wrong with it, or undefined. An unknown serial number is judged at the boot (CERT-C18). */
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

/** Whether it names a charge point that has not said its serial number yet (CERT-C28). */
export function namesNewcomer(
  commonName: string | undefined,
  expected: { readonly identity: string; readonly expectedSerialNumber?: string | undefined },
  check: SubjectCheck = 'contains',
): boolean {
  const { identity, expectedSerialNumber = '' } = expected
  if (commonName === undefined) return false
  if (commonName === identity) return true
  if (expectedSerialNumber === '') return false
  return check === 'contains' ? commonName.includes(expectedSerialNumber) : commonName === expectedSerialNumber
}
