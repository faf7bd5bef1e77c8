/** Whether a common name stands for the charge point of a serial number (CERT-C13). */

/** `contains` is the default: 2.0.1 A00.FR.405 asks for no more. */
export type SubjectCheck = 'contains' | 'exact' | 'off'

/** What is wrong with it, or undefined. An unknown serial number is judged when the charge point boots (CERT-C18). */
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
