/** What an application may call itself (OIDC-G5, OIDC-R9): people decide by this name whether they trust it. Pure. */
import { skeleton } from './confusables.ts'

const MAX_CHARACTERS = 100
/** The letters of a shorter host, such as ev.io, stand within many an honest name: there whole words count. */
const DISTINCT_LETTERS = 6

/** Without invisible characters and those that turn the direction of others; undefined when nothing is left. */
export function plainName(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const visible = value.replaceAll(/[\p{C}\p{Default_Ignorable_Code_Point}]/gu, '').trim()
  const name = [...visible].slice(0, MAX_CHARACTERS).join('').normalize('NFC')
  return name === '' ? undefined : name
}

/** Whether a name can be taken for one of the operator's (OIDC-V23). */
export function posesAs(name: string, operatorNames: readonly string[]): boolean {
  const whole = skeleton(name)
  const words = name.split(/\s/).map(skeleton)
  return operatorNames
    .map(skeleton)
    .some((own) => own !== '' && (own.length < DISTINCT_LETTERS ? words : whole).includes(own))
}

/** Scripts that are written together within a word (TS 39, 5.2: Japanese, Korean and Chinese with Latin). */
const EAST_ASIAN = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Bopomofo}]/u
/** Letters of every script, such as ª, and marks that follow any letter. */
const OF_ANY_SCRIPT = /[\p{Script=Common}\p{Script=Inherited}]/u
/** The scripts whose letters look like each other's. */
const ALIKE = ['Latin', 'Greek', 'Cyrillic', 'Armenian', 'Cherokee', 'Coptic', 'Lisu', 'Canadian_Aboriginal'].map(
  (script) => new RegExp(`\\p{Script=${script}}`, 'u'),
)

/** Whether one word takes its letters from several scripts, as no honest name does. */
export function mixesScripts(name: string): boolean {
  return (name.match(/\p{L}+/gu) ?? []).some((word) => new Set([...word].flatMap(scriptOf)).size > 1)
}

/** Its number among those that look alike, -1 for any other script, nothing for what goes with each. */
function scriptOf(letter: string): readonly number[] {
  if (OF_ANY_SCRIPT.test(letter) || EAST_ASIAN.test(letter)) return []
  return [ALIKE.findIndex((script) => script.test(letter))]
}
