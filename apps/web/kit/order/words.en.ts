/** What a list that is put in order says. */
export const words = {
  grip: 'Move “{name}”: drag it, or press the up and down keys',
  up: 'Move “{name}” up',
  down: 'Move “{name}” down',
  remove: 'Remove “{name}”',
  movedTo: '{name}: place {n} of {all}',
  removed: '{name}: removed',
} as const
