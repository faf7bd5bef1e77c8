import type { Child, FC } from 'hono/jsx'

/**
 * A form that is one button. What cannot be taken back, or ends what others rely on, asks first: the button then opens
 * the question, and another one below it answers (CONSOLE-A19).
 * @param props.order what the answer does, where the first button does not name what it is about
 * @param props.sent fields beside the token
 */
export const Action: FC<{
  to: string
  csrf: string
  text: Child
  style?: string | undefined
  ask?: string | undefined
  order?: string | undefined
  sent?: Readonly<Record<string, string>> | undefined
}> = ({ to, csrf, text, style = '', ask, order, sent = {} }) => {
  const button = (
    <form method="post" action={to}>
      {Object.entries({ csrf, ...sent }).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      <button type="submit" class={style}>
        {ask === undefined || order === undefined ? text : <bdi>{order}</bdi>}
      </button>
    </form>
  )
  if (ask === undefined) return button
  return (
    <details class="ask">
      <summary class={style}>{text}</summary>
      <p>{ask}</p>
      {button}
    </details>
  )
}
