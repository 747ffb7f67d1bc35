/** Tags of the blocks that Knack puts around text from outside. Text inside must not be read as one of them. */
export const WRAPPERS = ["skill_context", "skill_files", "skills_context", "skills_catalog", "skills_usage"];
