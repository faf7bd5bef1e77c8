import type { Child, FC } from 'hono/jsx'

export type Fact = readonly [name: Child, value: Child, style?: 'warn' | 'host']

export const Facts: FC<{
  readonly facts: readonly Fact[]
  readonly class?: string
  readonly live?: string
  readonly asFigures?: boolean
}> = ({ facts, class: style, live, asFigures }) => {
  const known = facts.filter(([, value]) => value !== undefined && value !== '' && value !== false)
  return (
    <dl class={asFigures ? 'figures' : style} data-live={live}>
      {known.map((fact) => (asFigures ? <div>{pairOf(fact)}</div> : pairOf(fact)))}
    </dl>
  )
}

function pairOf([name, value, tone]: Fact) {
  return (
    <>
      <dt>{name}</dt>
      <dd class={tone}>{value}</dd>
    </>
  )
}
