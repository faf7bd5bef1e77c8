import type { FC, PropsWithChildren } from 'hono/jsx'

/** A form that is one button. */
export const Action: FC<PropsWithChildren<{ to: string; csrf: string; style?: string }>> = ({
  to,
  csrf,
  style,
  children,
}) => (
  <form method="post" action={to}>
    <input type="hidden" name="csrf" value={csrf} />
    <button type="submit" class={style ?? ''}>
      {children}
    </button>
  </form>
)
