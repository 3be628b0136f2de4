/** Makes the clock of a process of the specs run ten times as fast (`node --import`); timers keep their pace. */
const [now, beganMs] = [Date.now, Date.now()];
Date.now = () => beganMs + (now() - beganMs) * 10;
