/** What the list of variables is narrowed to, in its address. */

import type { StoredVariable } from '../../domain/device-model/records.ts'
import { nameText } from '../../domain/device-model/variable-names.ts'

export type Which = '' | 'settable' | 'gone'

export interface VariableQuery {
  readonly q: string
  readonly component: string
  readonly which: Which
  readonly after?: string
  /** The address asks for what there is not. */
  readonly isWrong: boolean
}

const LONGEST = 500

export function readVariableQuery(asked: URLSearchParams): VariableQuery {
  const text = (name: string): string => (asked.get(name) ?? '').trim().slice(0, LONGEST)
  const which = text('which')
  const isKnown = which === '' || which === 'settable' || which === 'gone'
  const after = asked.get('after')
  return {
    q: text('q'),
    component: text('component'),
    which: isKnown ? which : '',
    isWrong: !isKnown,
    ...(after !== null && after !== '' && { after }),
  }
}

export function fitsQuery({ q, component, which }: VariableQuery): (row: StoredVariable) => boolean {
  const part = q.toLowerCase()
  const named = component.toLowerCase()
  return (row) =>
    (named === '' || row.componentName === named) &&
    (which !== 'gone' || row.gone) &&
    (which !== 'settable' || isSettable(row)) &&
    (part === '' || nameText(row.name).toLowerCase().includes(part) || row.value?.toLowerCase().includes(part) === true)
}

export function isSettable({ gone, characteristics: { mutability, constant } }: StoredVariable): boolean {
  return !gone && constant !== true && mutability?.toLowerCase() !== 'readonly'
}
