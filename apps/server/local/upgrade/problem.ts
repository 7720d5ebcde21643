/** An upgrade that cannot go on, as a sentence that says what to do. */
export class UpgradeProblem extends Error {}
