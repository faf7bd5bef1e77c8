CREATE TABLE `kept_answers` (
	`name` text PRIMARY KEY NOT NULL,
	`at` integer NOT NULL,
	`sealed` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `kept_answers_age` ON `kept_answers` (`at`);