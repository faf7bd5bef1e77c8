import { suggestion } from '../../src/config/suggest.ts'
import type { Protocol } from '../../src/domain/ports/core.ts'
import type { Payload } from '../../src/ocpp/translate/payload.ts'
import type { Behaviour } from '../charge-point.ts'
import type { FrameShape } from '../wire/frames.ts'
import { QUIRKS } from './catalogue.ts'

export interface Deviations {
  readonly shape?: FrameShape
  readonly behaviour?: Behaviour
}

export class UnknownName extends Error {
  override readonly name = 'UnknownName'
}

/** Throws UnknownName. */
export function findQuirks<T extends { readonly name: string }>(
  names: readonly string[],
  catalogue: readonly T[],
): readonly T[] {
  return names.map((name) => {
    const known = catalogue.map((quirk) => quirk.name)
    const found = catalogue[known.indexOf(name)]
    if (found) return found
    const close = suggestion(name, known)
    throw new UnknownName(
      `there is no quirk ${name}${close ? `: did you mean ${close}?` : '.'} --list-quirks shows all of them`,
    )
  })
}

/** Throws UnknownName, also for a quirk of the other version only. */
export function quirksOf(names: readonly string[], station: { readonly protocol: Protocol; id: string }): Deviations {
  const quirks = findQuirks(names, QUIRKS)
  if (quirks.length === 0) return {}
  const foreign = quirks.find(({ versions }) => !versions.some((version) => station.protocol === `ocpp${version}`))
  if (foreign) throw new UnknownName(`the quirk ${foreign.name} is one of OCPP ${foreign.versions.join(' and ')} alone`)
  const shapes = quirks.flatMap(({ shape }) => shape?.() ?? [])
  const behaviour = Object.assign({}, ...quirks.map((quirk) => quirk.behaviour ?? {})) as Behaviour
  return { behaviour, ...(shapes.length > 0 && { shape: combined(shapes) }) }
}

function combined(shapes: readonly FrameShape[]): FrameShape {
  /** What comes of one when each shape makes some of each that is left. */
  const through = <T>(one: T, change: (shape: FrameShape, entry: T) => readonly T[] | undefined): readonly T[] =>
    shapes.reduce((all: readonly T[], shape) => all.flatMap((entry) => change(shape, entry) ?? [entry]), [one])
  return {
    request: (method, request) =>
      through({ method, request }, (shape, call) => shape.request?.(call.method, call.request)),
    texts: (text, frame) => through(text, (shape, line) => shape.texts?.(line, frame)),
    answer: (method, request, answer, drop) => {
      let given: Payload | undefined = answer
      for (const shape of shapes) {
        if (given && shape.answer) given = shape.answer(method, request, given, drop)
      }
      return given
    },
    unusable: (method, answer) => shapes.map((shape) => shape.unusable?.(method, answer)).find(Boolean),
    messageId: (proposed, method) =>
      shapes.reduce<string | number>((id, shape) => shape.messageId?.(String(id), method) ?? id, proposed),
    ...(shapes.some((shape) => shape.pongs === false) && { pongs: false }),
  }
}
